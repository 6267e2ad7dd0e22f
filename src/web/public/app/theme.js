/* Puts the chosen theme in place before the first paint; the dashboard keeps it up to date afterwards. */
(function () {
  var root = document.documentElement;
  try {
    var theme = localStorage.getItem('matinee.theme');
    if (theme === 'dark' || theme === 'light') root.setAttribute('data-theme', theme);
  } catch (error) {
    /* Storage may be forbidden; the theme then follows the system. */
  }
  if (/\b(TV|SmartTV|SMART-TV|Tizen|Web0S|webOS|BRAVIA|AFT[A-Z]|CrKey|GoogleTV|HbbTV|VIDAA)\b/.test(navigator.userAgent)) root.setAttribute('data-tv', '');
})();
