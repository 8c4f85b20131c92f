#!/usr/bin/env bash
# Builds etcd, kube-apiserver and kube-controller-manager 1.20.2 from Debian's packages and sources, once, into a folder outside the clone.
#
#     test/support/kubernetes/build-control-plane.sh [FOLDER]
#
# FOLDER is by default $XDG_CACHE_HOME/patchbay-kubernetes (~/.cache/patchbay-kubernetes); the programs are then in FOLDER/bin.
# Where they are, it ends at once. A build takes 5 to 6 minutes on two cores and 4 GB of disk while it runs; 230 MB stay.
# It needs Debian 12 with its package mirror, and dpkg-dev; nothing is installed, and no right of root is used. Two at once wait for each other.
set -euo pipefail
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/patchbay-kubernetes}
programs='kube-apiserver kube-controller-manager'
kubernetes='1.20.5+really1.20.2-1.1+deb12u1'

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
is_built() {
  for program in etcd $programs; do [ -x "$folder/bin/$program" ] || return 1; done
}
is_built && exit 0
. "$(dirname "${BASH_SOURCE[0]}")/../debian-packages.sh"
require_tools 'a control plane' 'apt dpkg-dev util-linux' apt-get dpkg-deb dpkg-source flock
exec 9>"$folder/lock"
flock 9
is_built && exit 0
work=$folder/work

# The machine's own mirror with its sources, in lists of our own: the system's configuration stays as it is.
mkdir -p "$work"/apt/{lists,cache/archives}/partial "$work"/{debs,root,bin,home} "$folder/bin"
awk '/^Types:/{print "Types: deb deb-src"; next} {print}' "$sources" >"$work/apt/debian.sources"
read_lists
(
  cd "$work/debs"
  apt-get -qq download golang-1.19-go golang-1.19-src etcd-server
  for package in *.deb; do dpkg-deb -x "$package" "$work/root"; done
)

export GOROOT=$work/root/usr/lib/go-1.19 GOPATH=$work/go GOCACHE=$work/go-cache GOPROXY=off GO111MODULE=off CGO_ENABLED=0 HOME=$work/home
export PATH=$GOROOT/bin:$PATH
source=$GOPATH/src/k8s.io/kubernetes
mkdir -p "$(dirname "$source")"
if [ ! -d "$source" ]; then
  cd "$work"
  apt-get -qq source --download-only "kubernetes=$kubernetes"
  dpkg-source --no-check -x "kubernetes_$kubernetes.dsc" "$source" >/dev/null
fi
cd "$source"
# The one generated file that the source package lacks.
if [ ! -f pkg/generated/openapi/zz_generated.openapi.go ]; then
  go build -o "$work/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  inputs=$(grep -rlE '^//.*\+k8s:openapi-gen=' --include='*.go' pkg staging/src/k8s.io |
    grep -vE '_test.go|code-generator/|sample-apiserver/|pkg/generated' |
    xargs -n1 dirname | sort -u | sed -E 's#^staging/src/#vendor/#; s#^#k8s.io/kubernetes/#' | paste -sd,)
  "$work/openapi-gen" --logtostderr -i "$inputs" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
    -h hack/boilerplate/boilerplate.generatego.txt -r "$work/violations" --output-base "$GOPATH/src"
fi
flags='-s -w'
for package in component-base/version client-go/pkg/version; do
  name=k8s.io/kubernetes/vendor/k8s.io/$package
  flags="$flags -X $name.gitVersion=v1.20.2 -X $name.gitMajor=1 -X $name.gitMinor=20"
done
# shellcheck disable=SC2046,SC2086
go build -trimpath -ldflags "$flags" -o "$work/bin/" $(printf './cmd/%s ' $programs)
cp "$work/root/usr/bin/etcd" "$work/bin/"
mv "$work"/bin/* "$folder/bin/"
cd "$folder"
chmod -R u+w "$work"
rm -rf "$work"
