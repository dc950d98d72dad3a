use super::*;

#[test]
fn removed_members_resources_are_not_found() {
    let member = |name| MemberName::parse(name).expect("a name");
    let owner = |name, own: &str| ForwardingTarget::new(member(name), own.into());
    let template = |name, own: &str| ForwardingTarget::of_template(member(name), own.into());
    let owners = Owners::default();
    let prompts = HashMap::from([("a__p".into(), owner("a", "p"))]);
    owners.remember(&Endpoint::All, OfferList::Prompts, prompts);
    let templates = HashMap::from([
        ("note://{id}".into(), template("a", "note://{id}")),
        ("note:{rest}".into(), template("b", "note:{rest}")),
    ]);
    owners.remember(&Endpoint::All, OfferList::Templates, templates);
    let find = |kind, name, members: &[MemberName]| {
        let owner = match kind {
            OfferList::Templates => owners.find_template(&Endpoint::All, name, members),
            _ => owners.find(&Endpoint::All, kind, name, members),
        };
        owner.map(|owner| owner.member)
    };
    let both = [member("a"), member("b")];
    assert_eq!(find(OfferList::Prompts, "a__p", &both), Some(member("a")));
    assert_eq!(
        find(OfferList::Templates, "note://1", &both),
        Some(member("a"))
    );
    let left = &both[1..];
    assert_eq!(find(OfferList::Prompts, "a__p", left), None);
    assert_eq!(
        find(OfferList::Templates, "note://1", left),
        Some(member("b"))
    );
    assert_eq!(find(OfferList::Templates, "note://1", &[]), None);
}

#[test]
fn an_address_of_a_template_is_asked_for_as_it_is() {
    let member = |name| MemberName::parse(name).expect("a name");
    let owners = Owners::default();
    let texts = [
        "kit://{kind}/{id}",
        "kit://note/{id}",
        "kit://note/{id}{?rev}",
    ];
    let templates = texts.into_iter().zip(["a", "b", "c"]).map(|(text, name)| {
        let owner = ForwardingTarget::of_template(member(name), text.into());
        (text.to_owned(), owner)
    });
    owners.remember(&Endpoint::All, OfferList::Templates, templates.collect());
    let members = ["a", "b", "c"].map(member);
    for (address, owner) in [
        ("kit://note/7", "b"),
        ("kit://note/7?rev=2", "c"),
        ("kit://page/7", "a"),
        ("kit://note/7/more", "b"),
    ] {
        let found = owners.find_template(&Endpoint::All, address, &members);
        let found = found.expect("a template");
        assert_eq!((found.member, found.own.as_str()), (member(owner), address));
    }
    let other = owners.find_template(&Endpoint::All, "other://x", &members);
    assert!(other.is_none());
}
