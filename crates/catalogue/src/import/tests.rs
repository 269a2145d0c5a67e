use std::fs;

use super::*;

fn run(request: &ImportRequest, name: &str, text: &str) -> Result<Answer<ImportBody>, Fault> {
    let today = "2026-11-30".parse().unwrap();
    import(request, name, text, today, &Catalogue::builtin())
}

fn body(name: &str, text: &str) -> ImportBody {
    run(&ImportRequest::default(), name, text).unwrap().body
}

fn skipped(body: &ImportBody, reason: &str) -> usize {
    body.skipped.iter().find(|skipped| skipped.reason == reason).map_or(0, |skipped| skipped.rows)
}

/// What is written is read by the catalogue without a problem, and gives these offers.
fn read_back(body: &ImportBody) -> Catalogue {
    let folder = std::env::temp_dir().join(format!("maat-import-{}-{:p}", std::process::id(), body));
    for file in &body.files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
    let catalogue = Catalogue::with_overlay(&folder).unwrap();
    let _ = catalogue.offers();
    let _ = catalogue.purchase_prices();
    fs::remove_dir_all(folder).unwrap();
    catalogue
}

const GPUHUNT: &str = "\
instance_name,location,price,cpu,memory,gpu_vendor,gpu_count,gpu_name,gpu_memory,spot,disk_size,flags
h100x8,eu-1,24.00,192,1800,nvidia,8,H100 SXM,80,False,,
h100x8,eu-1,12.00,192,1800,nvidia,8,H100 SXM,80,True,,
l4,eu-1,0.70,8,32,nvidia,1,L4,24,False,,[]
l4,eu-1,0.65,8,32,nvidia,1,L4,24,False,,[]
l4,eu-1,0.90,8,32,nvidia,1,L4,24,True,,[]
cpu,eu-1,0.10,4,16,,0,,,False,,
bad,eu-1,free,8,32,nvidia,1,L4,24,False,,
";

#[test]
fn gpuhunt_rows() {
    let body = body("examplecloud.csv", GPUHUNT);
    assert_eq!(body.format, ImportFormat::Gpuhunt);
    assert_eq!((body.rows, body.kept), (7, 3));
    assert_eq!(skipped(&body, "no-accelerator"), 1);
    assert_eq!(skipped(&body, "price-unreadable"), 1);
    // 0.90 on spot is above the 0.65 on demand.
    assert_eq!(skipped(&body, "spot-above-on-demand"), 1);
    assert_eq!(body.files[0].path, "offers/examplecloud.csv");
    let catalogue = read_back(&body);
    let own: Vec<_> = catalogue.offers().iter().filter(|offer| &*offer.provider == "examplecloud").collect();
    assert_eq!(own.len(), 3);
    let whole = own.iter().find(|offer| offer.kind == PriceKind::OnDemand && offer.count == 8).unwrap();
    assert_eq!(whole.hourly_per_accelerator.as_f64(), 3.0);
    assert_eq!(whole.part.as_ref().unwrap().id, "nvidia-h100-sxm-80gb");
    assert_eq!(whole.observed.unwrap().to_string(), "2026-11-30");
    assert!(own.iter().any(|offer| offer.hourly.as_f64() == 0.65), "the cheaper of two rows of one offer");
}

const SKYPILOT: &str = "\
InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone
p5,H100,8.0,192.0,2048.0,\"{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}]}\",55.04,20.1,us-1,us-1a
p5,H100,8.0,192.0,2048.0,\"{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}]}\",55.04,19.9,us-1,us-1b
g6,L4,1,8,32,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 24}}]}\",0.80,nan,us-1,
g5,A10G,1,8,32,A10G,1.00,1.20,us-1,
,A100,1,,,,2.93,1.1,us-1,
n1-standard-8,,,8,30,,0.38,0.08,us-1,
mig,H100,0.5,8,32,,1.00,,us-1,
";

#[test]
fn skypilot_rows() {
    let body = body("aws.csv", SKYPILOT);
    assert_eq!(body.format, ImportFormat::Skypilot);
    assert_eq!(skipped(&body, "host-priced-apart"), 1);
    assert_eq!(skipped(&body, "no-accelerator"), 1);
    assert_eq!(skipped(&body, "part-of-an-accelerator"), 1);
    assert_eq!(skipped(&body, "spot-above-on-demand"), 1);
    let catalogue = read_back(&body);
    let own: Vec<_> = catalogue.offers().iter().filter(|offer| &*offer.provider == "aws").collect();
    // It takes the place of the built-in prices of the same provider.
    assert_eq!(own.len(), 4, "{own:?}");
    let spot = own.iter().find(|offer| offer.kind == PriceKind::Spot).unwrap();
    assert_eq!(spot.hourly.as_f64(), 19.9, "the cheapest zone");
    // 24 stands where MiB are said: it is GiB, or the L4 would not be found.
    let l4 = own.iter().find(|offer| &*offer.offer == "g6").unwrap();
    assert_eq!(l4.part.as_ref().unwrap().id, "nvidia-l4");
}

/// A Dutch seller's quote: semicolons, decimal commas, thousands points, purchase prices.
#[test]
fn a_sellers_quote() {
    let text = "Artikelnummer;Omschrijving;Aantal;Stuksprijs;Datum\n\
                A1;NVIDIA H100 NVL;1;€ 27.495,50;2026-11-20\n\
                A2;GeForce RTX 5090;1;2.450,00;2026-11-20\n\
                A3;Warmtepomp;1;3.000,00;2026-11-20\n";
    let body = body("offerte Jansen.csv", text);
    assert_eq!(body.format, ImportFormat::Csv);
    assert_eq!(body.kept, 2, "{body:?}");
    assert_eq!(skipped(&body, "part-unknown"), 1);
    assert_eq!(body.files[0].path, "prices/purchase/offerte-jansen.csv");
    let catalogue = read_back(&body);
    let quote =
        catalogue.purchase_prices().iter().find(|price| price.part == "nvidia-h100-nvl-94gb").unwrap();
    assert_eq!(quote.price.as_f64(), 27_495.5);
    assert_eq!(quote.currency, maat_base::Currency::Eur);
    assert!(catalogue.purchase_prices().len() > 200, "the built-in prices stay");
}

#[test]
fn a_rental_list_of_ones_own() {
    let text = "gpu,count,price_per_gpu_hour,currency,provider,pricing,observed\n\
                H100 SXM,8,2.50,USD,Neo Cloud,committed,2026-11-01\n\
                L40S,1,0.80,EUR,Neo Cloud,,2026-11-01\n";
    let body = body("list.csv", text);
    let catalogue = read_back(&body);
    let own: Vec<_> = catalogue.offers().iter().filter(|offer| &*offer.provider == "neo cloud").collect();
    assert_eq!(own.len(), 2);
    assert_eq!(own[0].hourly.as_f64(), 20.0);
    assert_eq!(own[0].kind, PriceKind::Committed);
}

#[test]
fn what_is_no_price_list_is_refused() {
    let code = |text: &str| run(&ImportRequest::default(), "x.csv", text).unwrap_err().code;
    assert_eq!(code(""), "import-empty");
    assert_eq!(code("a,b\n1,2\n"), "import-columns");
    assert_eq!(code("gpu,price_per_hour\nH100 SXM,free\n"), "import-nothing-kept");
    let forced = ImportRequest { from: Some(ImportFormat::Skypilot), ..ImportRequest::default() };
    assert_eq!(run(&forced, "x.csv", GPUHUNT).unwrap_err().code, "import-column-missing");
}

/// A provider of which most rows are broken gets no file, so its last good prices stay; others are kept.
#[test]
fn a_provider_that_fails_keeps_its_last_good_prices() {
    let text = "provider,gpu,price_per_hour\n\
                good,L4,0.70\n\
                failed,L4,0.70\nfailed,L4,timeout\nfailed,L4,timeout\n";
    let answer = run(&ImportRequest::default(), "x.csv", text).unwrap();
    let paths: Vec<&str> = answer.body.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["offers/good.csv"]);
    assert!(answer.findings.iter().any(|finding| finding.code == "import-provider-refused"));
}

/// Names of strangers make no paths, and their fields no rows.
#[test]
fn hostile_names() {
    let text = "provider,gpu,price_per_hour\n../../etc/passwd,\"L4\n\"\"x\",0.70\n";
    let body = body("x.csv", text);
    assert_eq!(body.files[0].path, "offers/etc-passwd.csv");
    assert_eq!(body.files[0].text.lines().count(), 2);
    read_back(&body);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = run(&ImportRequest::default(), "x.csv", &text);
        let _ = run(&ImportRequest::default(), "x.csv", &format!("gpu,price\n{text}"));
    }
}
