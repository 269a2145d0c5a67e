use maat_catalogue::*;
fn main(){ let c=Catalogue::builtin(); let a=lint(&LintRequest::default(),&c,&Terms::default()).unwrap();
 println!("{:?}",a.body); for f in a.findings { println!("{:?} {} {} {:?}",f.severity,f.code,f.subject,f.evidence.iter().take(2).map(|e|format!("{}={} @{}",e.what,e.value,e.place)).collect::<Vec<_>>()); } }
