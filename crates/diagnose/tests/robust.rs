//! Nothing that a file can hold makes the diagnosis panic, and nothing private comes out of a redacted answer.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use maat_diagnose::{DiagnoseRequest, diagnose, diagnose_with};
use maat_readings::{Input, monitor};
use proptest::prelude::*;

/// Own inputs of every class, as material to damage.
fn inputs() -> Vec<Vec<u8>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/classes"));
    let mut files = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            files.push(std::fs::read(file.unwrap().path()).unwrap());
        }
    }
    files.sort();
    files
}

fn run(bytes: Vec<u8>) {
    let request = DiagnoseRequest::default();
    match diagnose(&request, vec![("x".to_owned(), bytes)]) {
        Ok(answer) => {
            for finding in &answer.findings {
                assert!(!finding.evidence.is_empty(), "{} has no evidence", finding.code);
                if let Some(gain) = &finding.gain {
                    assert!((0.0..=1.0).contains(&gain.at_most), "{finding:?}");
                }
            }
        }
        Err(fault) => assert!(fault.code.len() > 3),
    }
}

/// A row of nccl-tests whose first column has a point, as no run prints it.
#[test]
fn a_size_with_a_point_is_borne() {
    let head = "# nThread 1 nGpus 8 minBytes 1048576 maxBytes 8589934592 step: 2(factor) warmup iters: 5\n\
                #       size         count      type   redop    root     time   algbw   busbw #wrong\n\
                # Avg bus bandwidth    : 260.4\n";
    for size in ["10485.76", "1.0486e6", "."] {
        run(format!("{head} {size} 262144 float sum -1 45.10 23.25 40.69 0\n").into_bytes());
    }
}

#[test]
fn every_beginning_of_an_input_is_borne() {
    for bytes in inputs() {
        let step = (bytes.len() / 24).max(1);
        for end in (0..bytes.len()).step_by(step) {
            run(bytes[..end].to_vec());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_inputs_are_borne(pick in 0usize..200, damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)) {
        let all = inputs();
        let mut bytes = all[pick % all.len()].clone();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        run(bytes);
    }

    #[test]
    fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        run(bytes);
    }

    #[test]
    fn any_kind_bears_any_text(text in "[\\PC\n]{0,400}", kind in 0usize..100) {
        let kinds: Vec<&str> = monitor::kinds().collect();
        let _ = monitor::read(&Input::new("x", text.as_bytes()), Some(kinds[kind % kinds.len()]));
    }

    #[test]
    fn the_order_of_files_does_not_matter(a in 0usize..200, b in 0usize..200) {
        let all = inputs();
        let (a, b) = (all[a % all.len()].clone(), all[b % all.len()].clone());
        let code = |one: &[u8], two: &[u8]| {
            let files = vec![("1".to_owned(), one.to_vec()), ("2".to_owned(), two.to_vec())];
            diagnose(&DiagnoseRequest::default(), files).map(|answer| answer.verdict.code.to_string()).ok()
        };
        prop_assert_eq!(code(&a, &b), code(&b, &a));
    }
}

/// A paste full of what must not come out, each of it in something that a rule shows as evidence.
const PRIVATE: &str = "jan@gpubox7:~$ nvidia-smi pmon -c 2
# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command 
# Idx           #    C/G      %      %      %      %      %      %    name 
    0       4001     C     48     20      -      -      -      -    /home/jdevries/bin/secretproject 
    0       5002     C     45     22      -      -      -      -    python         
jan@gpubox7:~$ nvidia-smi --query-gpu=index,uuid,utilization.gpu,memory.used,memory.total --format=csv
index, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB]
0, GPU-5f2d9a31-aaaa-bbbb-cccc-0123456789ab, 98 %, 40000 MiB, 81920 MiB
jan@gpubox7:~$ ps -o pid,user,stat,%cpu,cmd -p 4001,5002
    PID USER     STAT %CPU CMD
   4001 jdevries Rl   99.0 /home/jdevries/bin/secretproject --token hf_abcdefghijklmnopqrstuvwxyz0123
   5002 mbakker  Rl   98.0 python other.py
jan@gpubox7:~$ cat nccl.log
gpubox7:100:160 [0] NCCL INFO NET/IB : No device found.
gpubox7:100:160 [0] NCCL INFO NET/Socket : Using [0]eth0:10.20.30.41<0>
gpubox8:100:160 [0] NCCL INFO Using network Socket
gpubox7:100:160 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/Socket/0
jan@gpubox7:~$ sudo dmesg
[ 81.1] NVRM: Xid (PCI:0000:41:00): 79, pid=2201, name=/home/jdevries/bin/secretproject, GPU has fallen off the bus.
";

#[test]
fn a_redacted_answer_says_neither_who_nor_where() {
    let request = DiagnoseRequest { redact: true, ..DiagnoseRequest::default() };
    let name = "/home/jdevries/gpubox7/paste.txt".to_owned();
    let inputs = vec![(name, PRIVATE.as_bytes().to_vec())];
    let (answer, recording) = diagnose_with(&request, inputs, monitor::Samples::default()).unwrap();
    assert!(answer.findings.len() >= 3, "the paste proves several causes");
    let text = format!("{}\n{recording}", serde_json::to_string(&answer).unwrap());
    let private = [
        "jan@",
        "gpubox7",
        "gpubox8",
        "jdevries",
        "mbakker",
        "secretproject",
        "hf_abc",
        "10.20.30.41",
        "5f2d9a31",
    ];
    for word in private {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_recording_gives_the_same_answer() {
    for bytes in inputs() {
        let inputs = vec![("x".to_owned(), bytes)];
        let Ok((answer, recording)) =
            diagnose_with(&DiagnoseRequest::default(), inputs, monitor::Samples::default())
        else {
            continue;
        };
        let samples = monitor::read(&Input::new("r", recording.as_bytes()), None);
        let again = monitor::read(&Input::new("r", samples.recording().as_bytes()), None);
        assert_eq!(samples.rows.len(), again.rows.len());
        let values =
            |samples: &monitor::Samples| -> usize { samples.rows.iter().map(|row| row.values.len()).sum() };
        assert_eq!(values(&samples), values(&again), "{:?}", answer.verdict.code);
        // What a log line proves, the recording proves.
        let told = answer.findings.iter().find(|finding| {
            ["ecc-xid-fault", "vram-insufficient-offload", "recompiles"].contains(&&*finding.code)
        });
        if let Some(told) = told {
            let answer =
                diagnose(&DiagnoseRequest::default(), vec![("r".to_owned(), recording.into_bytes())])
                    .unwrap();
            assert!(answer.findings.iter().any(|finding| finding.code == told.code), "{}", told.code);
        }
    }
}
