MemcpyHtoD,0x00007f2d70000000,4096
corpus-accel-sim/ok-v3.traceg

MemcpyDtoH,0x00007f2d70000000,4096
corpus-accel-sim/ok-v5.traceg
