//! `guide`: the claims with what they are.

use maat_advise::World;
use maat_base::{Answer, Fault, Finding, Severity, Text, Verdict};
use serde::{Deserialize, Serialize};

use crate::ask::Engine;
use crate::check::{Probed, check};
use crate::checklist::{Checked, ChecklistRequest, checklist};
use crate::facts::{Claim, Judgement, Which, checks, claims};

/// What the guides say, and whether it is so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct GuideRequest {
    /// Only the claims of one guide: a (GPU or CPU, which server), b (cost per TFLOP, which GPU, rent or buy)
    #[cfg_attr(feature = "clap", arg(long, value_name = "GUIDE"))]
    pub claims: Option<Which>,
    /// Only the claims that are so: right, wrong, doubtful, dated, unverified
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERDICT"))]
    pub only: Option<Judgement>,
    /// Only this claim, such as RB06
    #[cfg_attr(feature = "clap", arg(long, value_name = "ID"))]
    pub id: Option<String>,
    /// The guides' five questions, answered by the engine
    #[cfg_attr(feature = "clap", arg(long))]
    pub checklist: bool,
    /// The answers to the five questions.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub questions: ChecklistRequest,
}

/// What `guide` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuideBody {
    /// The claims that were asked for.
    pub claims: Vec<ClaimView>,
    /// How many of them are what.
    pub counts: Vec<Count>,
    /// How many of them were computed.
    pub computed: usize,
    /// The five questions with their answers, where these were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checklist: Vec<Checked>,
}

/// How many claims are what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Count {
    pub verdict: Judgement,
    pub claims: usize,
}

/// A claim with what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimView {
    /// Its name.
    pub id: String,
    /// The guide.
    pub guide: Which,
    /// What it says, in our words.
    pub statement: Text,
    /// What it is.
    pub verdict: Judgement,
    /// What it was when somebody last looked.
    pub reviewed: Judgement,
    /// Why, or what to say in its place.
    pub why: Option<Text>,
    /// The figures, where it is computed.
    pub computed: Option<Vec<Probed>>,
    /// `computed` or `reviewed`.
    pub basis: &'static str,
    /// What the judgement rests on beside the computation.
    pub source: String,
}

/// Answers what the guides say and whether it is so.
///
/// # Errors
/// `guide-facts-unreadable`; those of the checklist's questions.
pub fn guide(request: &GuideRequest, world: &World) -> Result<Answer<GuideBody>, Fault> {
    if request.checklist {
        return checklist(&request.questions, world);
    }
    let checks = checks()?;
    let mut engine = Engine::new(world);
    let mut views = Vec::new();
    let mut findings = Vec::new();
    let wanted = |claim: &&Claim| {
        request.claims.is_none_or(|guide| guide == claim.guide)
            && request.id.as_ref().is_none_or(|id| id.eq_ignore_ascii_case(&claim.id))
    };
    let all = claims()?;
    if let Some(id) =
        request.id.as_ref().filter(|id| all.iter().all(|claim| !claim.id.eq_ignore_ascii_case(id)))
    {
        return Err(Fault::usage("claim-unknown").with("given", id.as_str()).at("--id"));
    }
    for claim in all.iter().filter(wanted) {
        let computed = checks.get(&claim.id).map(|one| check(one, &mut engine));
        let view = view(claim, computed, &mut findings);
        if request.only.is_none_or(|only| only == view.verdict) {
            views.push(view);
        }
    }
    findings.retain(|finding: &Finding| views.iter().any(|view| view.id == finding.subject));
    let counts = Judgement::ALL
        .into_iter()
        .map(|verdict| Count { verdict, claims: views.iter().filter(|view| view.verdict == verdict).count() })
        .filter(|count| count.claims > 0)
        .collect();
    let computed = views.iter().filter(|view| view.computed.is_some()).count();
    let body = GuideBody { claims: views, counts, computed, checklist: Vec::new() };
    let mut answer = Answer::new("guide", verdict(&body), body);
    answer.findings = findings;
    Ok(answer)
}

fn view(
    claim: &Claim,
    computed: Option<Result<(Judgement, Vec<Probed>), Fault>>,
    findings: &mut Vec<Finding>,
) -> ClaimView {
    let id = claim.id.to_lowercase();
    let (verdict, probed) = match computed {
        None => (claim.verdict, None),
        Some(Ok((verdict, probed))) => (verdict, Some(probed)),
        Some(Err(fault)) => {
            findings.push(
                Finding::new("guide-claim-not-computed", Severity::Warning, claim.id.as_str())
                    .with("why", fault.message),
            );
            (Judgement::Unverified, None)
        }
    };
    if probed.is_some() && verdict != claim.verdict {
        findings.push(
            Finding::new("guide-verdict-moved", Severity::Info, claim.id.as_str())
                .with("verdict", Text::named(format!("guide-verdict-{}", verdict.name())))
                .with("reviewed", Text::named(format!("guide-verdict-{}", claim.verdict.name()))),
        );
    }
    // What was written of it holds only while the verdict does.
    let holds = verdict == claim.verdict;
    let why = (claim.why && holds).then(|| {
        const NAMES: [&str; 8] = ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8"];
        let figures = probed.iter().flatten().zip(NAMES);
        figures.fold(Text::named(format!("guide-{id}-why")), |text, (one, name)| {
            text.with(name, one.arg.clone())
        })
    });
    ClaimView {
        statement: Text::named(format!("guide-{id}")),
        id: claim.id.clone(),
        guide: claim.guide,
        verdict,
        reviewed: claim.verdict,
        why,
        basis: if probed.is_some() { "computed" } else { "reviewed" },
        computed: probed,
        source: claim.source.clone(),
    }
}

fn verdict(body: &GuideBody) -> Verdict {
    let counts: Vec<Text> = body
        .counts
        .iter()
        .map(|count| {
            Text::new("guide-count")
                .with("n", count.claims)
                .with("verdict", Text::named(format!("guide-verdict-{}", count.verdict.name())))
        })
        .collect();
    let text = Text::new("guide-verdict")
        .with("n", body.claims.len())
        .with("counts", counts)
        .with("computed", body.computed);
    Verdict { ok: Some(true), code: "claims-checked".into(), text }
}
