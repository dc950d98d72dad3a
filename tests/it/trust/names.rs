//! Tools whose exposed name is taken by another tool, and their policies in the catalog.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn catalog_shows_tools_whose_name_is_taken() {
    let cli = CliHarness::new("taken names").await;
    let env = &cli.env;
    for (member, tools) in [("a", ["b__c", "fine"]), ("a__b", ["c", "fine"])] {
        let tools = tools.map(|name| described(name, "Works."));
        let tools = Tools::of(env, member, &json!(tools));
        env.member(member).args(tools.args()).write();
    }
    let waited = cli.run(&["tools", "--wait"]).await;
    assert_eq!(waited.code, Some(0), "{waited:#?}");
    let taken = |listed: &Value| -> Vec<String> {
        let tools = listed["tools"].as_array().expect("tools").iter();
        let taken = tools.filter(|tool| tool["withheld"]["code"] == "tool-name-taken");
        taken
            .map(|tool| tool["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let listed = cli.run(&["--json", "tools", "--details"]).await.json(0);
    assert_eq!(taken(&listed), ["a/b__c", "a__b/c"], "{listed:#}");
    let plain = cli.run(&["tools", "--details"]).await;
    for line in plain.stdout.lines() {
        let is_taken = line.starts_with("a/b__c ") || line.starts_with("a__b/c ");
        assert_eq!(line.contains("withheld: "), is_taken, "{plain:#?}");
    }
}
