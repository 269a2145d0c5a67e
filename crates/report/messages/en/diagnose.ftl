### What monitoring tools show: verdicts, findings, what to do, what would refute it, what to run next.

## Verdicts

diagnose-likely = Likely: { $sentence }
diagnose-healthy-busy = Nothing is wrong: the GPU is busy and is itself the limit.
diagnose-healthy-idle = Nothing is wrong: the GPU has no work.
diagnose-healthy-host = Nothing is wrong with what is shown of the machine; a GPU is not among it.
diagnose-healthy-but = Nothing is wrong. For your information: { $note }
diagnose-not-enough-data = This is not enough to say what holds the work back.
diagnose-utilization-alone = The GPU is busy by its utilization alone, which counts a nearly empty GPU as full; power or activity would tell.
diagnose-one-look = The GPU has work and stood still at the one moment that was seen; that is too little to say that it waits.
diagnose-waits-for-unknown = The GPU stands still for { $idle } of the time; what it waits for cannot be seen here.

## Findings

finding-wrong-device = The work runs on the processor, not on the GPU.
finding-gpu-shared = Several programs compute on the same GPU.
finding-ecc-xid-fault = The GPU reports a hardware or driver error.
finding-hw-power-brake = The hardware slows the GPU down because of its power supply, not because of heat.
finding-thermal-throttle = The GPU slows down because it is too hot.
finding-nvlink-down = NVLink is not complete: links are down, slow or the fabric is not ready.
finding-pcie-link-degraded = The PCIe link of the GPU is slower under load than both ends can do.
finding-vram-insufficient-offload = The model does not fit the GPU's memory; part of it runs on the processor or is given up.
finding-host-memory-swap = The machine is short of working memory and swaps or stalls.
finding-cpu-oversubscription = The loader's workers run far more threads than there are cores.
finding-cpu-quota = The container's CPU limit stops its processes while the machine has cores left.
finding-storage-iops-small-files = The disk is at its limit with many small reads.
finding-storage-throughput = The disk is at its limit, and the work waits for it.
finding-network-filesystem = The work waits for a file system over the network; the local disks are quiet.
finding-cpu-preprocessing = All processor cores are busy: the processor is the limit, with a loader the preparation of data.
finding-page-cache-overflow = The data do not fit the working memory, so every pass reads the disk again.
finding-single-thread-host = One thread of the host is at its limit and keeps the GPU waiting; the other cores are idle.
finding-network-tcp-fallback = NCCL goes over TCP although a faster way may be there.
finding-p2p-blocked-iommu-acs = The GPUs of this machine reach each other more slowly than the bus allows.
finding-network-fabric = RDMA is used, but far below the rate of the adapters.
finding-numa-affinity = A process runs or keeps its memory far from its GPU.
finding-pcie-saturated = Traffic between processor and GPU fills the PCIe link.
finding-clocks-locked = The clock of the GPU stays low although nothing slows it down.
finding-power-cap = The power limit holds the clock of the GPU down.
finding-small-grid-low-occupancy = The GPU only seems busy: its work is too small to fill it.
finding-request-starvation = The engine has few requests and none waiting: it is not the limit.

## What to do

fix-wrong-device = Install the build of the framework for this GPU and check that the program asks for it; maat doctor says which build fits.
fix-gpu-shared = Stop or move the other programs, or divide the GPU on purpose (MIG, MPS).
fix-ecc-xid-fault = Take the machine out of service, reset the GPU, run its diagnosis (dcgmi diag -r 3), and replace it when the error returns.
fix-hw-power-brake = Check power supply, cables and the chassis' power limit (BMC), then run again.
fix-thermal-throttle = Improve the airflow: fans, filters, distance between cards, cooler air; a lower power limit helps at once.
fix-nvlink-down = Restart the fabric manager, reset the GPU, reseat bridge or board.
fix-pcie-link-degraded = Reseat the card, check riser and cable, BIOS settings of the slot (lanes, generation) and power saving (ASPM).
fix-vram-insufficient-offload = Make it fit: a smaller quantisation, a shorter context, a quantised KV cache, or a GPU with more memory.
fix-host-memory-swap = Use fewer workers, less prefetching, no memory map of the whole data set, or add memory.
fix-allocator-thrash = Let the allocator grow its segments, use fixed shapes, or a smaller batch.
fix-cpu-oversubscription = One thread a worker: torch.set_num_threads(1) in worker_init_fn, OMP_NUM_THREADS=1 and its kin.
fix-cpu-quota = Raise the limit, and choose the number of workers by the limit, not by the machine's cores.
fix-storage-iops-small-files = Pack the files into large ones (tar shards, LMDB, Parquet) or put them on NVMe.
fix-storage-throughput = Put the data on faster storage (NVMe, several disks), copy them to a local disk first, or compress them.
fix-network-filesystem = Copy or cache the data locally, read in larger pieces, use more connections (nconnect).
fix-cpu-preprocessing = More cores for each GPU, decoding on the GPU (DALI, nvJPEG), keep decoded data, cheaper augmentation.
fix-checkpoint-eval-stall = Write checkpoints asynchronously and sharded, or less often.
fix-data-loader-wait = Give the loader more workers and let it work ahead: num_workers, prefetch_factor, persistent_workers, pin_memory.
fix-page-cache-overflow = More memory, smaller files, faster storage, or reading in the order of the shards.
fix-single-thread-host = A newer engine or asynchronous scheduling, more API processes, less work for each token (penalties, logprobs), a processor that is faster on one core.
fix-network-tcp-fallback = Give the job the RDMA device (device and libibverbs in the container), check NCCL_IB_DISABLE and NCCL_IB_HCA.
fix-p2p-blocked-iommu-acs = On bare metal: IOMMU and ACS off in the BIOS, more NUMA nodes per socket (NPS4 on EPYC); else limit NCCL to what works (NCCL_P2P_LEVEL).
fix-network-fabric = Test the links (ib_write_bw): slow there too means cable or switch, fast means settings (QoS, ECN, rails, GPUDirect).
fix-numa-affinity = Bind each rank to the cores and memory of its GPU (numactl, --cpu-bind).
fix-h2d-pageable = Pin the memory and copy without waiting: pin_memory=True, non_blocking=True.
fix-pcie-saturated = Keep data on the GPU, copy larger and pinned batches, split the model differently, or use a wider link.
fix-exposed-communication = Let communication overlap with computing: bucket size, prefetching, fewer and larger steps.
fix-straggler-rank = Look at the slow rank: its data, its GPU's clock and temperature, its node.
fix-pipeline-bubble = More micro-batches (at least four times the stages), or interleaved stages.
fix-recompiles = Mark changing sizes as dynamic (dynamic=True), or pad to a few fixed shapes.
fix-host-device-sync = Do not read values back inside the loop (.item(), .cpu(), print).
fix-launch-bound = CUDA or HIP graphs, torch.compile, fused kernels, or larger batches.
fix-clocks-locked = Undo the setting: nvidia-smi -rgc, nvidia-smi -rac, and the memory clock with -rmc.
fix-power-cap = Raise the limit where power supply and cooling allow it, or accept it; look at the memory clock first: work that is bound by memory gains nothing.
fix-tensor-cores-unused = Allow TF32 (set_float32_matmul_precision('high')), use bf16 autocast, and sizes that are multiples of 8.
fix-small-grid-low-occupancy = Larger batches, merge small work, or share the GPU (MIG, MPS).
fix-request-starvation = Send more requests at once, or check the client and the load generator.
fix-memory-bandwidth = This is the nature of the work, not a fault. To go faster: quantise, fuse, larger decode batches, a GPU with more bandwidth.
fix-warmup-jit = Leave the first steps out of measurements, and keep the compile cache.

## What would refute it

refuted-wrong-device = A process of the program stands in the GPU's list and uses its memory.
refuted-gpu-shared = Only one process does work on the GPU (nvidia-smi pmon).
refuted-ecc-xid-fault = No Xid in the kernel's log; uncorrected errors and pending remapped rows are zero.
refuted-hw-power-brake = HW Slowdown and HW Power Brake are not active under load.
refuted-thermal-throttle = The temperature stays 15 degrees below the limit and no thermal reason is active.
refuted-nvlink-down = All links of all GPUs are active at the same speed.
refuted-pcie-link-degraded = Under load the link has its full generation and width; at rest a low generation is normal.
refuted-vram-insufficient-offload = The engine's log says that all layers are on the GPU.
refuted-host-memory-swap = Nothing is swapped in or out while it runs.
refuted-allocator-thrash = After the warm-up nothing is allocated or retried.
refuted-cpu-oversubscription = No worker uses more than one core, and the run queue is no longer than the number of cores.
refuted-cpu-quota = nr_throttled does not grow between two looks.
refuted-storage-iops-small-files = Reads are large (rareq-sz), or requests do not wait.
refuted-storage-throughput = Requests do not queue (aqu-sz below 1) and wait less than 1 ms on NVMe or 10 ms on a hard disk.
refuted-network-filesystem = A local disk is busy instead, or nothing waits.
refuted-cpu-preprocessing = Cores are idle, or workers wait for a disk (state D).
refuted-checkpoint-eval-stall = The GPU does not stand still at regular times.
refuted-data-loader-wait = The loader takes less than 2% of the step.
refuted-page-cache-overflow = The data set is smaller than the free memory.
refuted-single-thread-host = Several threads are busy, or the GPU is above 90%.
refuted-network-tcp-fallback = NCCL's log says NET/IB.
refuted-p2p-blocked-iommu-acs = All-reduce inside the machine reaches 12 GB/s or more.
refuted-network-fabric = ib_write_bw and all-reduce reach the rate of the line.
refuted-numa-affinity = The cores of the process are those of its GPU in nvidia-smi topo -m.
refuted-h2d-pageable = Copies come from pinned memory, or take less than 1% of the time.
refuted-pcie-saturated = Both directions together stay below 20% of the link.
refuted-exposed-communication = More than 80% of the communication runs beside computing.
refuted-straggler-rank = All ranks spend the same time in NCCL.
refuted-pipeline-bubble = There are no sends and receives between ranks.
refuted-recompiles = After the first steps nothing is compiled.
refuted-host-device-sync = The GPU works on while the host waits.
refuted-launch-bound = Many launches are queued ahead, or kernels take more than 100 µs.
refuted-clocks-locked = Under load the clock is near its maximum, or a reason explains it.
refuted-power-cap = The draw is below the limit, or the clock is at its maximum.
refuted-tensor-cores-unused = The tensor cores are active, or there are no matrix products to speak of.
refuted-small-grid-low-occupancy = More than 80% of the multiprocessors are active (DCGM 1002).
refuted-request-starvation = Requests are waiting.
refuted-memory-bandwidth = The memory is active less than 40% of the time.
refuted-warmup-jit = Later steps are as slow.

## What to run next

diagnose-ask-gpu = How the GPU is used, second by second
diagnose-ask-host = What processor, run queue and memory do meanwhile
diagnose-ask-disk = Whether a disk is at its limit
diagnose-ask-pressure = What tasks wait for: processor, disk or memory
diagnose-ask-network = What comes over the network
diagnose-ask-processes = What each process does on the GPU
diagnose-ask-profile = How much of the GPU works: multiprocessors, tensor cores, memory
diagnose-ask-topology = How the GPUs, adapters and cores are connected
diagnose-ask-collectives = Which way NCCL takes and how fast it is
diagnose-ask-preemption = Whether the count of preemptions grows: it counts since the start of the engine
diagnose-ask-peers = Why GPUs do not reach each other directly: chipset, settings or the cards themselves
diagnose-ask-slices = How busy each slice of the GPU is
diagnose-ask-trace = What the GPU waits for between its kernels

## Parts of the page

diagnose-files-label = Read:
diagnose-file-unknown = not recognised
diagnose-column-code = code
diagnose-column-confidence = confidence
diagnose-column-signals = signals
diagnose-confidence-high = high
diagnose-confidence-likely = likely
diagnose-next-doctor = Check the software stack

## Faults

fault-kind-unknown = { $given } is not a kind of output.
hint-kind-unknown = One of: { $expected }.
fault-nothing-to-read = No file is given.
hint-nothing-to-read = Give files, - for standard input, or --watch 30s for this machine.
fault-record-failed = The recording cannot be written: { $problem }
fault-input-not-recognised = The content is not recognised as the output of a known tool.
hint-input-not-recognised = Expected one of: { $expected }.

## Milder forms

diagnose-xid-program = A program's access to the GPU failed; the hardware need not be at fault.
diagnose-fix-xid-program = Look for the fault in the program first (out-of-bounds access, a mismatched library); only when it returns with other programs test the hardware.
diagnose-against = { $diff } Now: { $now }
fault-against-needs-traces = Only traces can be compared with an earlier one.
hint-against-needs-traces = Give a trace of torch.profiler as FILE and an earlier one of the same work as --against.
fault-folder-empty = The folder holds no files.
hint-folder-empty = Give a folder with traces or outputs of tools, or the files themselves.

diagnose-slices-unseen = The GPU is cut into slices (MIG) that hold work; the GPU as a whole does not tell how busy they are.
diagnose-processors-busy = All processor cores are busy. If this work prepares data for a GPU, it is what keeps the GPU waiting.
diagnose-fix-processors-busy = Look at which programs fill the cores (top), and record the GPU at the same time.
diagnose-processors-full = The processors are full; whether that holds an accelerator back cannot be seen from this.
fault-watch-zero = --watch is 0.
hint-watch-zero = Give a time such as 30s.
