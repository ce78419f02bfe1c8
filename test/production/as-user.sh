#!/bin/sh
# Runs a program of Podman or Buildah as an ordinary user, with the environment of this one. As root: sh as-user.sh USER PROGRAM …
set -eu
user=$1
shift
runtime=/run/user/$(id -u "$user")
mkdir -p "$runtime"
chown "$user" "$runtime"
export HOME="$(getent passwd "$user" | cut -d: -f6)" XDG_RUNTIME_DIR="$runtime"
# crun refuses a machine with both versions of cgroups.
exec unshare --mount sh -c 'umount -l /sys/fs/cgroup/unified 2> /dev/null || true; exec "$@"' sh runuser -u "$user" -- "$@"
