//! Pages of traces: complete in both languages, within the width, with pictures for a browser.

#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

use std::fmt::Write as _;
use std::path::Path;

use maat_base::Answer;
use maat_report::{Format, Lang, Localiser, Style, present};
use maat_trace::{Input, Options, TraceBody, analyse, answer};

/// Three steps of 400 µs, the first 100 of which the loader takes.
fn trace() -> Answer<TraceBody> {
    let mut events = Vec::new();
    let mut event = |category: &str, name: &str, ts: u32, dur: u32, correlation: u32| {
        let mut text = String::new();
        let _ = write!(
            text,
            r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":{dur},"args":{{"stream":7,"correlation":{correlation}}}}}"#
        );
        events.push(text);
    };
    let names = ["sm80_xmma_gemm<bf16>", "flash_fwd_kernel<128>", "vectorized_elementwise_kernel<a&b>"];
    for step in 0..3 {
        let at = step * 400;
        event("user_annotation", &format!("ProfilerStep#{step}"), at, 400, 0);
        event("user_annotation", "enumerate(DataLoader)#X.__next__", at, 99, 0);
        for index in 0..40 {
            let number = step * 40 + index + 1;
            event("cuda_runtime", "cudaLaunchKernel", at + 100 + index, 1, number);
            event("kernel", names[index as usize % 3], at + 102 + index * 7, 7, number);
        }
    }
    let text = format!("[{}]", events.join(","));
    let input = Input { label: "trace.json".to_owned(), reader: Box::new(text.as_bytes()) };
    answer(analyse(vec![input], &Options::default()).unwrap())
}

#[test]
fn a_page_in_both_languages() {
    let answer = trace();
    for lang in Lang::ALL {
        let local = Localiser::new(lang);
        for style in [Style::default(), Style { unicode: false, explain: true, ..Style::default() }] {
            let page = present(&answer, Format::Table, &local, &style).unwrap();
            assert!(page.lines().skip(1).all(|line| line.chars().count() <= 80), "{page}");
            assert!(!page.contains("trace-"), "a message is missing:\n{page}");
            assert!(page.contains("data-loader-wait") && page.contains("gemm"), "{page}");
            assert!(style.unicode || page.is_ascii() || lang == Lang::Nl, "{page}");
        }
    }
    let english = present(&answer, Format::Table, &Localiser::new(Lang::En), &Style::default()).unwrap();
    let first = english.lines().next().unwrap();
    assert!(first.starts_with("For 2") && first.contains("waits for the data loader"), "{first}");
}

#[test]
fn a_narrow_page_keeps_its_pictures_within() {
    let answer = trace();
    let local = Localiser::new(Lang::En);
    for width in [40, 60, 80, 200] {
        let page = present(&answer, Format::Table, &local, &Style { width, ..Style::default() }).unwrap();
        let pictures: Vec<&str> = page.lines().filter(|line| line.starts_with("  [")).collect();
        assert_eq!(pictures.len(), 2);
        assert!(pictures.iter().all(|line| line.chars().count() <= width), "{width}: {pictures:?}");
    }
}

#[test]
fn pictures_for_a_browser() {
    let html = present(&trace(), Format::Html, &Localiser::new(Lang::En), &Style::default()).unwrap();
    assert_eq!(html.matches("<svg").count(), 3);
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    assert!(html.contains("vectorized_elementwise_kernel&lt;a&amp;b&gt;") && !html.contains("<a&b>"));
    assert!(!html.contains("http"), "nothing from elsewhere but the name of the format");
}

#[test]
fn csv_and_json() {
    let local = Localiser::new(Lang::Nl);
    let csv = present(&trace(), Format::Csv, &local, &Style::default()).unwrap();
    assert!(csv.starts_with("name,count,total_us,mean_us,share\n"), "{csv}");
    let json = present(&trace(), Format::Json, &local, &Style::default()).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["trace"]["device_kernels"], 120);
    assert_eq!(json["trace"]["kernel_sum_us"], 840.0);
    assert_eq!(json["verdict"]["code"], "data-loader-wait");
    assert!(json["verdict"]["text"].as_str().unwrap().contains("wacht"));
    assert!(json["findings"][0]["fix"].as_str().unwrap().contains("num_workers"));
}

/// Messages are named in the rules, the judgement and the causes of faults; each must be there.
#[test]
fn every_message_of_the_trace_crate_exists() {
    let local = Localiser::new(Lang::En);
    let mut count = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../trace/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for literal in
                code.split('"').filter(|part| part.starts_with("trace-") || part.starts_with("hint-trace-"))
            {
                let plain = literal.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
                if plain && literal.len() > "trace-".len() {
                    count += 1;
                    let named =
                        [literal.to_owned(), format!("fault-{literal}"), format!("finding-{literal}")];
                    assert!(named.iter().any(|id| local.has(id)), "{literal}");
                }
            }
        }
    }
    assert!(count > 60, "{count}");
}
