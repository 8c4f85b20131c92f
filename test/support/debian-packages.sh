# Sourced by the scripts that build something from Debian's packages and sources, in the folder $work.

# require_tools WHAT PACKAGES TOOL...: ends unless the tools are there.
require_tools() {
  local what=$1 packages=$2 tool
  shift 2
  for tool; do
    command -v "$tool" >/dev/null || { echo "building $what needs $tool (Debian: apt-get install $packages)" >&2; exit 1; }
  done
  [ -r "$sources" ] || { echo "building $what needs Debian 12: $sources is missing" >&2; exit 1; }
}

# The machine's own mirror.
sources=/etc/apt/sources.list.d/debian.sources

# Lets apt read $work/apt/debian.sources into lists of its own: the system's configuration stays as it is.
read_lists() {
  cat >"$work/apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$work/apt/debian.sources";
Dir::Etc::sourceparts "-";
Dir::State::lists "$work/apt/lists";
Dir::Cache "$work/apt/cache";
CONF
  [ "$(id -u)" -ne 0 ] || echo 'APT::Sandbox::User "root";' >>"$work/apt/apt.conf"
  export APT_CONFIG=$work/apt/apt.conf
  apt-get -qq update
}
