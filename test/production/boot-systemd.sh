#!/bin/sh
# Starts systemd as PID 1 in separate namespaces, on a temporary copy of the root file system (overlay). It uses the
# network of the machine. As root:   unshare --mount --pid --cgroup --uts --ipc --fork --kill-child sh boot-systemd.sh
# WORK PACKAGE CONFIG DATA NODE WORK: an empty folder. PACKAGE: the folder that npm installed into, /opt/remit inside.
# CONFIG and DATA: /etc/remit and /var/lib/remit inside. NODE: the program, /usr/bin/node inside.
set -eu
work=$1 package=$2 config=$3 data=$4 node=$5
root=$work/root
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$root"

# Starts no unit and no mount of the machine.
rm -rf "$root/etc/systemd/system" "$root/etc/fstab"
mkdir "$root/etc/systemd/system"
cat > "$root/etc/systemd/system/check.target" <<'UNIT'
[Unit]
Requires=basic.target
After=basic.target
UNIT
ln -s /dev/null "$root/etc/systemd/system/systemd-modules-load.service"
ln -s /dev/null "$root/etc/systemd/system/systemd-tmpfiles-setup.service"

mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"

touch "$root/usr/bin/node"
mount --bind "$node" "$root/usr/bin/node"
for pair in "$package:/opt/remit-0.1.0" "$config:/etc/remit" "$data:/var/lib/remit"; do
  mkdir -p "$root${pair#*:}"
  mount --bind "${pair%%:*}" "$root${pair#*:}"
done
ln -s remit-0.1.0 "$root/opt/remit"
chroot "$root" id remit > /dev/null 2>&1 || chroot "$root" useradd --system --home-dir /var/lib/remit remit
# A process in a chroot may not create the user namespace that PrivateUsers needs.
cd "$root"
mkdir -p old-root
pivot_root . old-root
umount --lazy old-root
cd /
# Credentials are mounted in a separate namespace, from which they are passed to the service.
mount --make-rshared /
exec env -i container=remit PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=check.target --log-target=journal --show-status=no
