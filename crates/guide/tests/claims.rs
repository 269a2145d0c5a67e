//! The claims of the guides: complete, computed, and judged as they were when somebody last looked.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::LazyLock;

use maat_advise::World;
use maat_catalogue::Catalogue;
use maat_estimate::Rules;
use maat_guide::{GuideBody, GuideRequest, Judgement, claims, guide};

fn ask(request: &GuideRequest, catalogue: &Catalogue) -> GuideBody {
    static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::built_in().unwrap());
    let world =
        World { catalogue, rules: &RULES, as_of: None, currency: None, explain: false, eur_per_usd: None };
    let answer = guide(request, &world).unwrap();
    let failed: Vec<_> =
        answer.findings.iter().filter(|finding| finding.code == "guide-claim-not-computed").collect();
    assert!(failed.is_empty(), "{failed:#?}");
    answer.body
}

#[test]
fn all_claims_are_there_and_most_are_computed() {
    let all = claims().unwrap();
    assert_eq!(all.len(), 132);
    let body = ask(&GuideRequest::default(), &Catalogue::builtin());
    assert_eq!(body.claims.len(), 132);
    assert!(body.computed >= 75, "{}", body.computed);
    for claim in body.claims.iter().filter(|claim| claim.verdict != Judgement::Right) {
        assert!(claim.why.is_some(), "{} says nothing of why it is {:?}", claim.id, claim.verdict);
    }
}

/// When an engine or a price changes a verdict, somebody has to look: is it so now, or is the engine wrong? Then the row of
/// `facts/guides/claims.csv` follows, and the sentence beside it.
#[test]
fn verdicts_are_those_of_the_last_look() {
    let body = ask(&GuideRequest::default(), &Catalogue::builtin());
    let moved: Vec<String> = body
        .claims
        .iter()
        .filter(|claim| claim.verdict != claim.reviewed)
        .map(|claim| {
            let figures: Vec<String> = claim
                .computed
                .iter()
                .flatten()
                .map(|one| {
                    format!("{} = {} (claimed {}, {})", one.command, one.value, one.claimed, one.holds)
                })
                .collect();
            format!("{} {:?}, was {:?}: {}", claim.id, claim.verdict, claim.reviewed, figures.join("; "))
        })
        .collect();
    assert!(moved.is_empty(), "{moved:#?}");
}

#[test]
fn a_price_moves_a_verdict() {
    let folder = std::env::temp_dir().join(format!("maat-guide-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("prices")).unwrap();
    // At 20 cents an hour the RTX 4090 is the cheapest a TFLOP like for like too, and then the guide is right but for
    // the B200; at 3 dollars an H100 does what the checklist says of a budget.
    let row = "name,part,price_per_hour,tflops,power_w,source\n";
    let cheap = "RTX 4090,nvidia-geforce-rtx-4090,0.20,330,450,a quote\nB200,nvidia-b200-sxm-180gb,4.70,2500,1000,a quote\n\
                 H200,nvidia-h200-sxm-141gb,3.80,1000,700,a quote\nH100,nvidia-h100-sxm-80gb,2.50,1000,700,a quote\n\
                 A100 80GB,nvidia-a100-pcie-80gb,0.72,312,300,a quote\nL40S,nvidia-l40s,1.50,366,350,a quote\n";
    std::fs::write(folder.join("prices/guide.csv"), format!("{row}{cheap}")).unwrap();
    let catalogue = Catalogue::with_overlay(&folder).unwrap();
    let of = |id: &str, catalogue: &Catalogue| {
        let request = GuideRequest { id: Some(id.to_owned()), ..GuideRequest::default() };
        ask(&request, catalogue).claims.remove(0)
    };
    let before = of("RB06", &Catalogue::builtin());
    let after = of("RB06", &catalogue);
    assert_eq!((before.verdict, after.verdict), (Judgement::Wrong, Judgement::Right));
    assert!(after.why.is_none(), "what was written of another verdict is not said");
    assert_eq!(of("RB51", &catalogue).verdict, Judgement::Doubtful);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_checklist_answers_five_questions() {
    let request = GuideRequest { checklist: true, ..GuideRequest::default() };
    let body = ask(&request, &Catalogue::builtin());
    assert_eq!(body.checklist.len(), 5);
    assert!(body.checklist.iter().all(|one| one.command.starts_with("maat ")));
}
