# Makes a container image of a laid out package, without a container engine; .package reads this file.
# It needs $version, $made, the time of every file, and $commit. Everything in the image is the same for the same input.

# What the launcher calls, and what removes from a report of a crash what may hold a token. The libraries of these programs and of the
# runtime come with them, from the Debian of this machine, whose packages the image names for scanners.
image_programs='sh awk mv rm cat'
image_user=65532

# Copies a file of this machine, and remembers it.
image_copy() {
  mkdir -p "$1/${2%/*}"
  cp -L "$2" "$1$2"
  echo "$2" >>"$1.copied"
}

# The libraries of this machine that programs and libraries load.
image_libraries() {
  find "$@" -type f \( -perm -u+x -o -name '*.so*' \) -exec ldd {} + 2>/dev/null |
    sed -n 's/^.*=> \(\/[^ ]*\) (0x.*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p' | sort -u
}

# The Debian package that has a file, also where /bin and /lib lead to /usr.
image_package() {
  for path in "$1" "/usr$1" "${1#/usr}"; do
    if found=$(dpkg-query -S "$path" 2>/dev/null); then
      echo "${found%%: *}" | sed 's/:.*//'
      return
    fi
  done
  echo "no package has $1: the image is made on Debian" >&2
  return 1
}

# The file system below the program $2, in the directory $1.
image_base() {
  root=$1 program=$2
  rm -f "$root.copied"
  mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64" "$root/etc/gatebook" "$root/tmp" "$root/proc" "$root/dev" "$root/sys"
  ln -s usr/bin "$root/bin"
  ln -s usr/lib "$root/lib"
  ln -s usr/lib64 "$root/lib64"
  for name in $image_programs; do
    found=$(command -v "$name")
    image_copy "$root" "$(readlink -f "$found")"
    [ -e "$root/usr/bin/$name" ] || ln -s "$(basename "$(readlink -f "$found")")" "$root/usr/bin/$name"
  done
  for library in $(image_libraries "$root/usr/bin" "$program"); do
    case $library in "$program"/*) ;; *) image_copy "$root" "$library" ;; esac
  done
  sort -u "$root.copied" | while read -r file; do image_package "$file" || kill $$; done | sort -u >"$root.packages"
  while read -r package; do
    mkdir -p "$root/var/lib/dpkg/status.d" "$root/usr/share/doc/$package"
    dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
    cp -L "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
  done <"$root.packages"
  cp -R /usr/share/common-licenses "$root/usr/share"
  cp -L /etc/os-release "$root/etc/os-release"
  printf 'root:x:0:0::/:/bin/false\ngatebook:x:%d:%d::/data:/bin/false\n' $image_user $image_user >"$root/etc/passwd"
  printf 'root:x:0:\ngatebook:x:%d:\n' $image_user >"$root/etc/group"
  echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
  chmod -R u=rwX,go=rX "$root"
  chmod 1777 "$root/tmp"
}

image_sha256() { sha256sum "$1" | cut -c1-64; }

# Moves a file to where its digest says, and prints its descriptor.
image_blob() {
  digest=$(image_sha256 "$1")
  printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%d}' "$2" "$digest" "$(wc -c <"$1")"
  mv "$1" "$oci/blobs/sha256/$digest"
}

image_tar() { tar --sort=name --mtime="$made" --numeric-owner --format=gnu "$@"; }

# Makes a layer of the directory $1, to which the directory of the data belongs if there is a second argument.
image_layer() {
  image_tar -C "$1" --owner=0 --group=0 -cf "$work/layer.tar" .
  if [ $# = 2 ]; then
    mkdir -p "$work/owned/data"
    chmod 700 "$work/owned/data"
    image_tar -C "$work/owned" --owner=$image_user --group=$image_user -rf "$work/layer.tar" data
  fi
  diff_ids=$diff_ids${diff_ids:+,}\"sha256:$(image_sha256 "$work/layer.tar")\"
  gzip -n "$work/layer.tar"
  image_blob "$work/layer.tar.gz" layer.v1.tar+gzip >"$work/descriptor"
  layers=$layers${layers:+,}$(cat "$work/descriptor")
}

# Writes an image of the package in the directory $1 to the file $2. The directory $3 is for what comes between.
make_image() {
  program=$1 result=$2 work=$3
  oci=$work/oci diff_ids='' layers=''
  case $(uname -m) in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
  *) architecture=$(uname -m) ;;
  esac
  rm -rf "$work"
  mkdir -p "$oci/blobs/sha256" "$work/base" "$work/app/opt/gatebook"
  image_base "$work/base" "$program"
  # the runtime, which seldom changes, is below the program
  mkdir -p "$work/base/opt/gatebook"
  mv "$program/java" "$work/base/opt/gatebook/java"
  for file in "$program"/*; do mv "$file" "$work/app/opt/gatebook"; done
  image_layer "$work/base" data
  image_layer "$work/app"
  cat >"$work/config" <<END
{"created":"$made","architecture":"$architecture","os":"linux","config":{"User":"$image_user:$image_user",\
"ExposedPorts":{"7467/tcp":{},"7469/tcp":{}},"Env":["PATH=/opt/gatebook:/usr/bin","GATEBOOK_DATA=/data/gatebook"],\
"Entrypoint":["/opt/gatebook/gatebook"],"Cmd":["serve"],"Volumes":{"/data":{}},"WorkingDir":"/etc/gatebook","StopSignal":"SIGTERM",\
"Labels":{"org.opencontainers.image.title":"gatebook","org.opencontainers.image.version":"$version",\
"org.opencontainers.image.revision":"$commit","org.opencontainers.image.created":"$made",\
"org.opencontainers.image.licenses":"Apache-2.0","org.opencontainers.image.description":\
"Event-sourced audit and error-translation gateway for JSON-RPC"}},\
"rootfs":{"type":"layers","diff_ids":[$diff_ids]},\
"history":[{"created":"$made","created_by":"the runtime and what is below it"},{"created":"$made","created_by":"gatebook"}]}
END
  config=$(image_blob "$work/config" config.v1+json)
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s]}' \
    "$config" "$layers" >"$work/manifest"
  manifest=$(image_blob "$work/manifest" manifest.v1+json)
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s]}' \
    "${manifest%?},\"platform\":{\"architecture\":\"$architecture\",\"os\":\"linux\"},\"annotations\":{\"org.opencontainers.image.ref.name\":\"gatebook:$version\"}}" \
    >"$oci/index.json"
  printf '{"imageLayoutVersion":"1.0.0"}' >"$oci/oci-layout"
  chmod -R u=rwX,go=rX "$oci"
  image_tar -C "$oci" --owner=0 --group=0 -cf "$result.new" oci-layout index.json blobs
  mv "$result.new" "$result"
}
