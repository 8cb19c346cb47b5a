# SPDX-License-Identifier: GPL-3.0-or-later
# The command on Debian 12, with the files of the current folder:
#   docker build -t warpstack .
#   docker run --rm -v "$PWD:/data" warpstack predict mm.wst -m v100
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -qy --no-install-recommends make ca-certificates
COPY . /src
RUN cd /src && make deps && make -j"$(nproc)" && make install && ldconfig && rm -rf build
WORKDIR /data
ENTRYPOINT ["warpstack"]
