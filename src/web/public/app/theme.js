/* Puts the theme in place before the first paint: the one chosen here, or the system's. The dashboard keeps it up to date afterwards. */
(function () {
  var root = document.documentElement;
  var theme;
  try {
    theme = localStorage.getItem('matinee.theme');
  } catch (error) {
    /* Storage may be forbidden; the theme then follows the system. */
  }
  if (theme !== 'dark' && theme !== 'light') theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  root.setAttribute('data-theme', theme);
  if (/\b(TV|SmartTV|SMART-TV|Tizen|Web0S|webOS|BRAVIA|AFT[A-Z]|CrKey|GoogleTV|HbbTV|VIDAA)\b/.test(navigator.userAgent)) root.setAttribute('data-tv', '');
})();
