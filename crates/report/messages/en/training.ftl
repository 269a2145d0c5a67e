### Messages of: training

task-pretrain = Pretraining
task-full = Full fine-tuning
task-lora = LoRA
task-qlora = QLoRA
task-dpo = DPO
task-ppo = PPO
task-grpo = GRPO
size-train-fits = { $task } fits on { $machine } with { $spare } to spare on each accelerator{ $speed-known ->
    [yes] : it trains at { $speed }{ $time-known ->
        [yes] { " " }and takes { $time }
       *[no] { "" }
    }
   *[no] { "" }
}.
size-train-fits-tight = { $task } just fits on { $machine }, with { $spare } to spare on each accelerator{ $speed-known ->
    [yes] : it trains at { $speed }{ $time-known ->
        [yes] { " " }and takes { $time }
       *[no] { "" }
    }
   *[no] { "" }
}. The high end of the range does not fit.
size-train-does-not-fit = { $task } does not fit on { $machine }: { $why }. { $next }
size-train-no-hardware = { $task } of { $model } needs { $total } on one accelerator, undivided and with all activations kept; the smallest that can do it: { $card }.
assumed-seq = sequences of { $n } tokens
assumed-response = responses of { $n } tokens
assumed-lora-rank = adapters of rank { $n }
assumed-lora-targets = adapters beside every product of the layers
assumed-train-precision = computed in bf16
assumed-base-precision = base stored in { $precision }
assumed-optimizer = adamw
assumed-micro-batch = { $n } { $n ->
    [one] sequence
   *[other] sequences
} a pass
assumed-zero = { $n ->
    [0] nothing divided over the data-parallel ranks
   *[other] ZeRO stage { $n }
}
assumed-recompute = activations computed again: { $which }
assumed-offload = in host memory: { $what }
assumed-framework = { $framework }
assumed-dp = dp { $n }
assumed-global-batch = { $n } { $n ->
    [one] sequence
   *[other] sequences
} a step
why-first-that-fits = The first in the order that fits, the fastest among equals.
reason-train-states = Weights, gradients and the optimiser's states take { $states } of each accelerator for { $trained } trained parameters; activations and logits of { $tokens } tokens take { $activations }.
reason-train-adapters = The frozen base takes { $weights }; { $trained } parameters are trained, and with their states all that stays takes { $states }. Activations and logits of { $tokens } tokens take { $activations }.
reason-train-reference = The models beside it (reference, reward, critic) take { $bytes }.
reason-step-compute = Arithmetic is the limit: { $mfu } of the peak goes into the model's own operations.
reason-step-memory = Moving bytes between the products is the limit: { $mfu } of the peak goes into the model's own operations. Compiling fuses much of it.
reason-step-network = Communication is the limit: { $mfu } of the peak goes into the model's own operations.
reason-step-launch = Launching kernels is the limit: { $mfu } of the peak goes into the model's own operations. Larger micro-batches help.
reason-step-host = Copies to the host's memory and its processors are the limit: { $mfu } of the peak goes into the model's own operations.
reason-train-split-faster = Divided with tp { $tp }, pp { $pp } and ep { $ep } it would be { $gain } faster; give these flags to choose it.
nearest-recompute = It fits with more activations computed again.
nearest-zero = It fits with ZeRO-3 (FSDP).
nearest-micro-batch = It fits with a micro-batch of { $n }.
nearest-chunked-loss = It fits with the loss computed in pieces.
nearest-optimizer = It fits with 8-bit AdamW.
nearest-seq = It fits at sequences of { $n } tokens.
nearest-offload-optimizer = It fits with the optimiser's states in the host's memory.
nearest-offload-all = It fits with states and weights in the host's memory.
nearest-task = It fits with { $task }.
finding-qlora-needs-sharded-base = The packed base is divided over the accelerators (FSDP with QLoRA), which not every library can do.
fix-qlora-needs-sharded-base = Use a version of PEFT and bitsandbytes that shards packed weights, or an accelerator that holds the base.
finding-network-slow-for-split = Communication takes { $share } of each step.
fix-network-slow-for-split = Larger micro-batches or more accumulation, a faster network, or a division that keeps tensor and expert parallelism within a node.
finding-generation-not-counted = Speed, time and cost are of learning; generating the responses takes as long again or longer, and is not counted.
fix-generation-not-counted = Size the engine that generates with --task chat and the same lengths, and add its time.
finding-accelerators-unused = { $used } of { $total } accelerators are used: { $why ->
    [network] how the nodes are joined was not stated
    [division] the rest does not go into ranks of this division
   *[batch] a step has { $batch } sequences, no more than these take at once
}.
fix-accelerators-unused = Give --network where the nodes are joined, a larger --global-batch where a step has too few sequences, or a division that uses all.
finding-host-ram-not-stated = The plan keeps { $need } in host memory, and how much there is was not stated.
fix-host-ram-not-stated = Give --ram, and check that the machine has it.
fault-response-beyond-sequence = Responses of { $response } tokens do not go into sequences of { $seq }.
hint-response-beyond-sequence = Raise --seq, or lower --response.
fault-adapters-not-for-task = The task { $task } trains all weights and has no adapters.
hint-adapters-not-for-task = Use --task lora or qlora, or leave out --lora-rank, --lora-targets and --base-precision.
fault-lora-target-unknown = { $given } is not a matrix that gets adapters.
hint-lora-target-unknown = all-linear, attention, or some of: { $known }.
fault-epochs-of-nothing = --epochs says how often, and not of what.
hint-epochs-of-nothing = Give --items or --tokens beside it.
fault-job-length-twice = The length of the job is given more than once.
hint-job-length-twice = Give one of --tokens, --items and --steps.
fault-train-precision-unknown = { $given } is not a precision that training computes in.
hint-train-precision-unknown = One of: { $known }. How a frozen base is stored is --base-precision.
fault-training-not-tokens = { $model } does not write or fill in tokens, and how such models are trained is not computed yet.
hint-training-not-tokens = Give a language model, or a task of inference.
fault-training-shapes-unknown = Of { $model } only tensors are known, not how its layers mix tokens.
hint-training-shapes-unknown = Give the folder with config.json.
fault-training-gguf = { $model } is a GGUF file, which cannot be trained.
hint-training-gguf = Give the model's folder or its id.
figure-train = Training
figure-train-each = Training, each accelerator
figure-step = Step
figure-mfu = Model FLOP utilisation
figure-time = Whole job

advise-train-rent = { $job-known ->
    [yes] { $task } for { $job } in { $time }: rent { $machine } from { $provider } at { $hourly } an hour; it trains at { $speed }.
   *[no] Rent { $machine } from { $provider } at { $hourly } an hour: { $task } at { $speed }, { $million } for a million tokens.
}
advise-train-own = { $job-known ->
    [yes] { $task } for { $job } in { $time }: buy { $machine } for { $purchase }, { $hourly } an hour in use; it trains at { $speed }.
   *[no] Buy { $machine } for { $purchase }, { $hourly } an hour in use: { $task } at { $speed }, { $million } for a million tokens.
}
miss-deadline = the job takes { $value }, the limit is { $limit }
limit-train-memory = it needs { $need } on each card, which has { $have }: { $short } short
limit-batch = a step of { $batch } sequences cannot be divided over ranks that take { $least } at once
limit-train-precision = { $part } does not compute in { $precision }
fault-flag-of-training = --{ $flag } says how to train, and the task is { $task }.
hint-flag-of-training = Give a --task that trains (pretrain, full, lora, qlora, dpo, ppo, grpo), or leave the flag out.
fault-flag-of-serving = --{ $flag } says how to serve, and the task is { $task }.
hint-flag-of-serving = For training there are --seq, --micro-batch and --global-batch; or leave out --task.
why-one-job = One job does not pay for a machine; give --kind to have others ranked.
reason-train-failures = Something fails every { $every } on average; with a checkpoint every { $interval } this makes the job { $longer } longer, which is counted.
finding-checkpoint-no-room = A checkpoint takes { $one }, and two of them do not go on disks with { $room }.
fix-checkpoint-no-room = Larger disks or network storage, or keep the weights only; a checkpoint is written before the last one is deleted.
limit-disk = the files need { $need } of disk, and there is { $have }: { $short } short
fault-model-writes-no-tokens = { $model } reads and writes no tokens; this is reckoned for language models only.
hint-model-writes-no-tokens = maat size { $model } --gpu NAME says whether it fits on a machine and how fast it is there.
