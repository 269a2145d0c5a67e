//! Any bytes are an answer, and `--redact` leaves nothing private anywhere in it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use maat_doctor::{DoctorRequest, doctor};
use proptest::prelude::*;

const SECRETS: &str = include_str!("../../readings/tests/secrets.txt");
const PRIVATE: &str = include_str!("../../readings/tests/secrets-private.txt");

fn answer(request: &DoctorRequest, bytes: &[u8]) -> String {
    let answer = doctor(request, &[("/home/alice/gpu-box-17.txt".to_owned(), bytes.to_vec())], None).unwrap();
    serde_json::to_string(&answer).unwrap()
}

#[test]
fn nothing_private_is_left_in_a_redacted_answer() {
    let request = DoctorRequest { redact: true, ..DoctorRequest::default() };
    let clean = answer(&request, SECRETS.as_bytes()).to_lowercase();
    assert!(clean.contains("xid-79-off-bus"), "the answer must have findings that quote the text");
    for word in PRIVATE.lines().filter(|line| !line.is_empty()) {
        assert!(!clean.contains(&word.to_lowercase()), "`{word}` is left in:\n{clean}");
    }
    let plain = answer(&DoctorRequest::default(), SECRETS.as_bytes());
    assert!(plain.contains("gpu-box-17"), "without --redact the text is quoted as it is");
}

#[test]
fn a_question_that_makes_no_sense_is_a_fault() {
    for question in ["", "torch cuXYZ", "nosuchpackage 1.0", "torch 99.9", "torch one"] {
        let request = DoctorRequest { can: Some(question.to_owned()), ..DoctorRequest::default() };
        assert!(doctor(&request, &[], None).is_err(), "{question}");
    }
    let request = DoctorRequest {
        wheel: Some("torch".to_owned()),
        gpu: Some("RTX 99".to_owned()),
        ..DoctorRequest::default()
    };
    assert_eq!(doctor(&request, &[], None).unwrap_err().code, "doctor-gpu-unknown");
}

/// frameworks.toml: vLLM from 0.20 is built for CUDA 13, which needs driver 580.
#[test]
fn questions_and_the_inverse() {
    let ask = |request: &DoctorRequest| doctor(request, &[], None).unwrap();
    let can = |what: &str, gpu: &str, driver: &str| {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        ask(&DoctorRequest {
            can: some(what),
            gpu: some(gpu),
            driver: some(driver),
            ..DoctorRequest::default()
        })
    };
    let inverse = can("vllm 0.20", "", "");
    assert_eq!(inverse.body.install.unwrap().driver_min_linux.as_deref(), Some("580"));
    assert_eq!(&*can("torch 2.11 cu130", "RTX 5090", "570.86.10").verdict.code, "driver-too-old");
    assert_eq!(&*can("torch 2.11 cu128", "RTX 5090", "570.86.10").verdict.code, "healthy");
    assert_eq!(&*can("torch 2.13 cu130", "GTX 1080", "580.65.06").verdict.code, "arch-dropped-by-wheel");
    assert_eq!(&*can("torch 2.6 cu126", "RTX 5090", "580.65.06").verdict.code, "arch-newer-than-wheel");
    // architectures.toml: sm_120 from the branch of CUDA 12.8 (570), Pascal up to 580.
    assert_eq!(&*can("torch 2.11 cu128", "RTX 5090", "550.54.14").verdict.code, "driver-too-old");
    assert_eq!(&*can("torch 2.14 cu126", "GTX 1080", "595.10").verdict.code, "gpu-dropped-by-driver");
    assert_eq!(&*can("torch 2.11 cu129", "GTX 1080", "580.65.06").verdict.code, "not-enough-data");
    assert_eq!(&*can("torch 2.13 cu118", "L4", "580.65.06").verdict.code, "wheel-variant-missing");
    let request = DoctorRequest {
        wheel: Some("vllm".to_owned()),
        gpu: Some("A100".to_owned()),
        driver: Some("550.90.07".to_owned()),
        ..DoctorRequest::default()
    };
    let install = ask(&request).body.install.unwrap();
    assert_eq!((install.version.as_str(), install.cuda.as_str()), ("0.19.1", "12.8"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        answer(&DoctorRequest::default(), &bytes);
    }

    #[test]
    fn lines_that_look_like_tools_are_an_answer(
        lines in proptest::collection::vec(proptest::sample::select(FRAGMENTS), 0..12),
        noise in "\\PC{0,12}",
    ) {
        let text = lines.join(&noise);
        answer(&DoctorRequest { redact: true, ..DoctorRequest::default() }, text.as_bytes());
    }
}

/// Beginnings and ends of what readers look for.
const FRAGMENTS: &[&str] = &[
    "NVIDIA-SMI ",
    "Driver Version:",
    "CUDA Version: ",
    "|   0  NVIDIA ",
    "| N/A ",
    "GPU 0: ",
    "(UUID: ",
    "MIG ",
    "Xid (PCI:",
    "): ",
    "torch==",
    "torch ",
    "+cu",
    "cu12",
    "=> ",
    "libcuda.so.1 (",
    "LD_LIBRARY_PATH=",
    "undefined symbol: ",
    "_ZN",
    ": cannot open shared object file",
    "with CUDA capability sm_",
    "gfx",
    "flags : fpu sse2",
    "ii  nvidia-driver-",
    "NVIDIA-Linux-x86_64-",
    "Package Version\n",
    "\n",
    " ",
    "é",
    "×",
    "4x ",
    "RTX 4090",
    "-",
    "570",
    ".",
    "[10de:",
    "CUDA 12",
    "version `GLIBC_",
    "Remapped Rows\n",
    "  Pending : Yes",
    "<driver_version>",
    "</",
    "\t",
    "\r",
    "\u{1b}[31m",
    "==",
    "[pip3] ",
];

/// A file's name may hold the customer's and the user's; places keep the input's number and line.
#[test]
fn a_redacted_answer_does_not_name_the_file() {
    let request = DoctorRequest { redact: true, ..DoctorRequest::default() };
    let text = b"[1.0] NVRM: Xid (PCI:0000:9c:00): 79, pid=1, GPU has fallen off the bus\n".to_vec();
    let answer = doctor(&request, &[("clients/acme-secret/dmesg.txt".to_owned(), text)], None).unwrap();
    assert_eq!(answer.findings[0].evidence[0].place, "input-1:1");
    let all = serde_json::to_string(&answer).unwrap();
    assert!(!all.contains("acme") && !all.contains("dmesg.txt"), "{all}");
}
