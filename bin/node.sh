# Puts the Node that npm brought first in PATH. Sourced in the folder of the project, not run; for sh and bash.
# npm 9 deletes its link node_modules/.bin/node: it cleans up after the packages for other systems, whose links have the
# same name (npm/cli issue 4362). Then the package is used without it.
PATH=$PWD/node_modules/.bin:$PATH
for brought in node_modules/node-*/bin/node ''; do [ ! -x "$brought" ] || break; done
[ -e node_modules/.bin/node ] || [ -z "$brought" ] || PATH=$PWD/${brought%/node}:$PATH
export PATH
