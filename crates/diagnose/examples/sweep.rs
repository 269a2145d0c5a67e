//! Prints verdict and findings for each file given, or for all together with `-a`.
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let all = args.first().is_some_and(|arg| arg == "-a");
    if all {
        args.remove(0);
    }
    let files: Vec<(String, Vec<u8>)> =
        args.iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    let groups: Vec<Vec<(String, Vec<u8>)>> =
        if all { vec![files] } else { files.into_iter().map(|file| vec![file]).collect() };
    for group in groups {
        let name = group[0].0.rsplit('/').next().unwrap().to_owned();
        match maat_diagnose::diagnose(&maat_diagnose::DiagnoseRequest::default(), group) {
            Ok(answer) => {
                println!("{name}: {} | {:?}", answer.verdict.code, answer.verdict.text.id);
                for (finding, cause) in answer.findings.iter().zip(&answer.body.causes) {
                    println!(
                        "   {} {:?} {:?} {} [{}] gain {:?}",
                        finding.code,
                        finding.severity,
                        cause.confidence,
                        cause.signals,
                        finding.subject,
                        finding.gain
                    );
                    for evidence in &finding.evidence {
                        println!(
                            "        {} = {} ({})",
                            evidence.what,
                            evidence.value,
                            evidence.place.rsplit('/').next().unwrap()
                        );
                    }
                }
            }
            Err(fault) => println!("{name}: FAULT {fault}"),
        }
    }
}
