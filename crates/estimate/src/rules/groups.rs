//! Groups of parameters: what is known of a class of hardware, an engine, a link or a framework.

/// A group of parameters that share their keys.
pub trait Group: Clone + Default {
    /// The parameter of that name.
    fn parameter(&mut self, name: &str) -> Option<&mut f64>;
}

macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name { $($(#[$field_doc])* pub $field: f64,)* }

        impl Group for $name {
            fn parameter(&mut self, name: &str) -> Option<&mut f64> {
                match name { $(stringify!($field) => Some(&mut self.$field),)* _ => None }
            }
        }
    };
}

group! {
    /// Of a class of accelerators.
    HardwareEfficiency {
        /// Share of the dense peak that a large matrix product reaches.
        matmul_share,
        /// The same for numbers of less than 16 bits, as a share of `matmul_share`.
        narrow_share,
        /// The same for products grouped by expert, as a share of `matmul_share`.
        expert_share,
        /// Share of the dense 16-bit peak that attention reaches when it reads a prompt.
        attention_share,
        /// Rows and columns of a tile of a product.
        tile,
        /// Factor on the share of bandwidth: how well kernels of the class stream.
        stream_share,
        /// Waves of tiles that idle at the end of a product.
        wave,
        /// Rows of the least tile that an expert fills.
        expert_pad,
        /// The same of kernels that expand packed weights.
        packed_expert_pad,
        /// Seconds from one kernel to the next in a graph, beside its work.
        kernel_s,
        /// Packed weights that one unit brings to arithmetic form in a clock.
        expand_per_clock,
        /// 16-bit weights that the vector units of one unit multiply in a clock.
        vector_per_clock,
        /// FP32 operations of one unit in a clock, to know units where only the rate is known.
        vector_flop_per_clock,
        /// Arithmetic goes with the power limit to this power.
        power_exponent,
        /// Dense 16-bit FLOP/s for each watt of the parts that the shares were measured on; 0 where not known.
        peak_per_watt,
        /// Share of the dense peak that a large matrix product of training reaches.
        train_matmul_share,
        /// The same for numbers of less than 16 bits, as a share of `train_matmul_share`.
        train_narrow_share,
        /// Share of the dense 16-bit peak that attention of training reaches.
        train_attention_share,
    }
}

group! {
    /// Of a training framework.
    TrainingEfficiency {
        /// Factor on the share of peak that products reach.
        matmul_factor,
        /// Factor on the share of peak that attention reaches.
        attention_factor,
        /// Sizes of a product at which it reaches half of its share, were the others without end.
        size,
        /// Share of the share of peak that products grouped by expert reach.
        expert_share,
        /// Bytes moved between products, as a multiple of what one pass over each input and output moves.
        elementwise_factor,
        /// Bytes for each logit of the loss, forward and backward.
        logit_bytes,
        /// Seconds that the host needs to launch a kernel.
        launch_s,
        /// Seconds for each layer with experts and micro-batch: choosing, sorting, counting.
        moe_layer_s,
        /// Seconds of a step outside its micro-batches.
        step_s,
        /// Share of the arithmetic that communication of data-parallel ranks can hide behind.
        overlap,
        /// Share of that communication that nothing hides.
        exposed,
        /// Share of tensor-parallel communication that nothing hides.
        tensor_exposed,
        /// Share of the experts' communication that nothing hides.
        expert_exposed,
        /// Bytes in which gradients are exchanged.
        gradient_bytes,
        /// Share of the memory bandwidth that the optimiser's update reaches.
        update_share,
        /// Bytes per second of host memory where nothing is known of it, at least.
        host_bytes_per_s,
        /// The same for each accelerator of a node.
        host_bytes_per_s_each,
        /// Share of the host's memory bandwidth that an update there reaches.
        host_share,
        /// Bytes per second of the link to the host where nothing is known of it.
        host_link_bytes_per_s,
        /// Bytes of an accelerator's memory for the driver's context and the libraries.
        context_bytes,
        /// Bytes for the buffers of collectives.
        collective_bytes,
        /// Share of activations and buffers that the allocator loses to gaps, likely and at most.
        waste_likely,
        /// The same, the high end.
        waste_high,
        /// Bytes held at once for each logit.
        kept_logit_bytes,
        /// The same where the loss is computed in pieces.
        chunked_logit_bytes,
        /// The same where the loss is compiled.
        compiled_logit_bytes,
        /// Host memory of a process.
        host_process_bytes,
        /// Factor on what is offloaded, for pinned buffers.
        pinned_factor,
        /// Mean hours from one failure of an accelerator, or of its share of the rest, to the next.
        failure_hours,
        /// Seconds from a failure until the work goes on from its last checkpoint.
        restart_s,
        /// Bytes of a checkpoint that a node writes in a second.
        checkpoint_bytes_per_s,
    }
}

group! {
    /// Of a kind of memory.
    MemoryEfficiency {
        /// Share of the bandwidth that a long read reaches.
        share,
    }
}

group! {
    /// Of a class of processors.
    ProcessorEfficiency {
        /// Share of the peak that a large product reaches.
        matmul_share,
        /// Share of the memory bandwidth.
        memory_share,
        /// What each socket after the first adds, as a share of the first: threads read the other sockets' memory too.
        socket_share,
        /// Bytes per second that one core can ask for.
        core_bandwidth,
        /// Seconds between operations beside their work.
        kernel_s,
        /// Seconds for each thread that all wait for each other after an operation.
        thread_s,
        /// Packed weights brought to arithmetic form, for each FP32 operation that the vector units do.
        expand_share,
        /// Rows of a product that share one expansion.
        expand_rows,
    }
}

group! {
    /// Of an engine.
    EngineEfficiency {
        /// Factor on the time between kernels: 1 within CUDA graphs.
        kernel_factor,
        /// 1 where the kernels of a decode step are launched as one graph.
        graphs,
        /// Seconds from one launch to the next outside graphs.
        eager_s,
        /// Seconds of the host for each layer of routed experts outside graphs, beside its launches.
        eager_routed_s,
        /// Factor on the share of bandwidth.
        weight_share,
        /// Factor on the share of peak.
        matmul_factor,
        /// The same again for numbers of less than 16 bits.
        narrow_factor,
        /// Factor on the share of peak that attention reaches.
        attention_factor,
        /// 1 where FP16 products are summed in FP16, which some parts do at twice the rate.
        half_accumulate,
        /// Share of the shorter of arithmetic and reading that is not hidden by the longer.
        overlap,
        /// Factor on the rate at which packed weights are expanded.
        expand_factor,
        /// Factor on the rows of a product that share one expansion on processors.
        expand_rows,
        /// Kernels that expanding takes beside those of a product.
        expand_kernels,
        /// 1 where 16-bit products of few rows run on vector units.
        vector_products,
        /// Seconds of a step outside its kernels: scheduling, sampling.
        step_s,
        /// Seconds of a step for each sequence.
        sequence_s,
        /// Seconds of a request outside its steps: protocol, tokenising.
        request_s,
        /// Steps from one look for new requests to the next.
        poll_steps,
        /// Share of the other users' prompts that stands before one's own because requests come in bursts.
        queue_share,
        /// Tokens of a prefill step where the plan does not say.
        prefill_tokens,
        /// Most prefill steps that stages of a pipeline work on at once.
        pipeline_steps,
        /// 1 where the stages of a pipeline work on different sequences at once.
        microbatches,
    }
}

group! {
    /// Of a kind of link.
    LinkEfficiency {
        /// Seconds of one hop of a collective.
        latency_s,
        /// Share of the one-way rate.
        share,
        /// Bytes of a hop that are written whole before they are read on; 0 where ranks write to each other.
        slice_bytes,
    }
}

group! {
    /// Of mixtures of experts.
    RoutingEfficiency {
        /// A batch of `T` tokens visits as many experts as `T` to this power that choose at random.
        spread,
    }
}
