use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use guild_model::tool::ToolSpec;

fn tool(name: &str, description: &str, parameters: &[&str]) -> ToolSpec {
    let properties: serde_json::Map<String, Value> = parameters
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    ToolSpec::from_raw(json!({
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties},
    }))
    .expect("a tool")
}

fn searcher(member: &str, tools: &[ToolSpec]) -> Searcher {
    Searcher::build(tools.iter().map(|spec| Findable {
        member,
        name: spec.name().as_str(),
        spec,
        change: None,
    }))
}

fn some_tools() -> Vec<ToolSpec> {
    vec![
        tool(
            "create_issue",
            "Create a new issue in a repository.",
            &["repo", "title"],
        ),
        tool("delete_issue", "Delete an issue.", &["repo", "issue_id"]),
        tool(
            "list_issues",
            "List the issues of a repository.",
            &["repo", "state"],
        ),
        tool("get_current_time", "The time in a zone.", &["timezone"]),
        tool("send-mail", "Sends a message.", &["to", "subject", "body"]),
    ]
}

fn first(searcher: &Searcher, task: &str) -> Option<usize> {
    searcher.find(task, 1).first().map(|hit| hit.place)
}

#[test]
fn a_task_finds_its_tool() {
    let tools = some_tools();
    let searcher = searcher("m", &tools);
    for (task, place) in [
        ("create an issue", 0),
        ("Removing issues", 1),
        ("make a new ticket", 0),
        ("show me all issues of this repository", 2),
        ("what time is it", 3),
        ("sending an email to Ann", 4),
    ] {
        assert_eq!(first(&searcher, task), Some(place), "{task}");
    }
}

#[test]
fn an_exact_name_comes_first() {
    let mut tools = some_tools();
    tools.push(tool("issue", "Something else.", &[]));
    let searcher = searcher("m", &tools);
    for (task, place) in [
        ("delete_issue", 1),
        ("Delete-Issue", 1),
        ("call list_issues for the newest issue that I create", 2),
        ("issue", 5),
    ] {
        let hits = searcher.find(task, 1);
        assert_eq!(hits[0].place, place, "{task}");
        assert_eq!(hits[0].why[0], "name: exactly");
    }
}

#[test]
fn a_hit_says_why() {
    let tools = some_tools();
    let searcher = searcher("github", &tools);
    let hits = searcher.find("remove an issue from a repo on github", 1);
    assert_eq!(
        hits[0].why,
        [
            "name: delete (remove), issue",
            "first sentence: delete (remove), issue",
            "parameters: issue, repo",
            "member: github",
        ]
    );
}

#[test]
fn compounds_are_joined_and_split() {
    let tools = [
        tool("list_oncalls", "Who is called.", &[]),
        tool("create_chart", "Draws figures.", &[]),
    ];
    let searcher = searcher("m", &tools);
    assert_eq!(first(&searcher, "on call"), Some(0));
    assert_eq!(first(&searcher, "make a piechart"), Some(1));
    assert!(searcher.find("apple", 1).is_empty());
}

#[test]
fn exact_words_beat_related_words() {
    let tools = [
        tool("delete_rows", "Deletes rows of a table.", &[]),
        tool("clean_table", "Remove duplicate rows of a table.", &[]),
        tool("clear_table", "Erases all rows of a table.", &[]),
    ];
    let searcher = searcher("m", &tools);
    assert_eq!(first(&searcher, "remove duplicate rows"), Some(1));
}

#[test]
fn member_name_alone_counts_little() {
    let of_memory: Vec<ToolSpec> = [
        "create_entities",
        "read_graph",
        "open_nodes",
        "add_observations",
    ]
    .map(|name| tool(name, "Of the graph.", &[]))
    .into();
    let leaks = [tool(
        "inspect_heap",
        "Reports a leak of memory in a process.",
        &[],
    )];
    let of = |member| {
        move |spec| Findable {
            member,
            name: "x",
            spec,
            change: None,
        }
    };
    let all = of_memory.iter().map(of("memory"));
    let searcher = Searcher::build(all.chain(leaks.iter().map(of("debugger"))));
    assert_eq!(first(&searcher, "memory leak"), Some(4));
    assert_eq!(
        searcher.find("memory", 9).len(),
        4,
        "the leak and three weak ones"
    );
}

#[test]
fn shapes_lead_to_subjects() {
    let tools = [
        tool("get_range", "Cells of an Excel worksheet.", &[]),
        tool("read_paper", "Reads a research paper.", &[]),
    ];
    let searcher = searcher("m", &tools);
    assert_eq!(first(&searcher, "column B of Q3.xlsx"), Some(0));
    assert_eq!(first(&searcher, "the gist of 2310.06825"), Some(1));
}

#[test]
fn weak_hits_are_marked_and_few() {
    let tools = vec![tool("create_issue", "Creates an issue.", &[]); 9];
    let searcher = searcher("m", &tools);
    let hits = searcher.find("issue quarrel between medieval knights and bishops", 9);
    assert!(
        hits.len() == 3 && hits.iter().all(|hit| hit.weak),
        "{hits:?}"
    );
    let hits = searcher.find("create an issue", 9);
    assert!(
        hits.len() == 9 && hits.iter().all(|hit| !hit.weak),
        "{hits:?}"
    );
}

/// Returns a semantic ranking in which all cosines are equal, and the floor is 0.3.
fn close(places: &[usize], cosine: f32) -> SemanticRanking {
    let tools = places.iter().map(|place| Close {
        place: *place,
        cosine,
    });
    SemanticRanking {
        tools: tools.collect(),
        floor: 0.3,
    }
}

#[test]
fn close_tools_below_the_floor_are_weak() {
    let tools = some_tools();
    let searcher = searcher("m", &tools);
    let far = close(&[3, 1, 0, 2, 4], 0.2);
    let hits = searcher.find_beside("zorblax my frumious bandersnatch", &far, 5);
    assert!(
        hits.len() == 3 && hits.iter().all(|hit| hit.weak),
        "{hits:?}"
    );
    let hits = searcher.find_beside("create an issue", &far, 1);
    assert!(!hits[0].weak, "its words fit");
    let mut one_near = far;
    one_near.tools[0].cosine = 0.4;
    let hits = searcher.find_beside("zorblax my frumious bandersnatch", &one_near, 5);
    let strong: Vec<_> = hits.iter().filter(|hit| !hit.weak).collect();
    assert!(strong.len() == 1 && strong[0].place == 3, "{hits:?}");
}

#[test]
fn close_tools_are_fused_with_those_of_the_words() {
    let tools = some_tools();
    let searcher = searcher("m", &tools);
    let places = |places: &[usize]| -> Vec<usize> {
        let hits = searcher.find_beside("create an issue", &close(places, 0.6), 3);
        hits.iter().map(|hit| hit.place).collect()
    };
    assert_eq!(places(&[])[0], 0);
    assert_eq!(places(&[2, 0])[..2], [0, 2]);
    assert_eq!(places(&[1, 0])[..2], [0, 1]);
    let hits = searcher.find_beside("zzz", &close(&[3, 99], 0.6), 3);
    assert_eq!((hits.len(), hits[0].place, hits[0].weak), (1, 3, false));
    assert_eq!(hits[0].why, ["meaning: close"]);
}

#[test]
fn nothing_is_found_where_no_word_fits() {
    let tools = some_tools();
    let searcher = searcher("m", &tools);
    assert!(searcher.find("weather", 5).is_empty());
    assert!(searcher.find("", 5).is_empty());
    assert!(searcher.find("create", 0).is_empty());
    assert!(Searcher::build([]).find("create", 5).is_empty());
}

#[test]
fn words_that_say_nothing_find_only_where_there_are_no_others() {
    let tools = [
        tool("a", "What is in it", &[]),
        tool("b", "Time of it", &[]),
    ];
    let searcher = searcher("x", &tools);
    let places = |task| -> Vec<usize> {
        let hits = searcher.find(task, 5);
        hits.iter().map(|hit| hit.place).collect()
    };
    assert_eq!(places("what is the time"), [1]);
    assert_eq!(places("what is"), [0]);
}

#[test]
fn tools_that_fit_alike_come_in_the_order_of_the_list() {
    let tools = vec![tool("same", "Same.", &[]); 5];
    let searcher = searcher("m", &tools);
    let places: Vec<_> = searcher
        .find("same", 5)
        .iter()
        .map(|hit| hit.place)
        .collect();
    assert_eq!(places, [0, 1, 2, 3, 4]);
}

#[test]
fn a_profile_s_words_are_searched_in_place_of_the_server_s() {
    let spec = tool("q", "Does things.", &[]);
    let change = ToolChange {
        name: Some("weather_report".into()),
        description: Some("Tells of rain.".into()),
        policy: None,
    };
    let searcher = Searcher::build([Findable {
        member: "m",
        name: "m__weather_report",
        spec: &spec,
        change: Some(&change),
    }]);
    assert_eq!(first(&searcher, "rain"), Some(0));
    assert_eq!(first(&searcher, "weather"), Some(0));
    assert_eq!(first(&searcher, "things"), None);
}

#[test]
fn only_the_beginning_of_a_task_is_read() {
    let tools = some_tools();
    let searcher = searcher("m", &tools);
    let far = format!("{} mail", "x ".repeat(TASK_CHARS_MAX));
    assert!(searcher.find(&far, 1).is_empty());
    let many: String = (0..40).map(|n| format!("w{n} ")).collect::<String>() + "mail";
    assert!(searcher.find(&many, 1).is_empty());
}

proptest! {
    #[test]
    fn any_task_is_answered_within_the_limit(task in any::<String>(), limit in 0usize..9) {
        let tools = some_tools();
        let hits = searcher("m", &tools).find(&task, limit);
        prop_assert!(hits.len() <= limit);
        prop_assert!(hits.windows(2).all(|two| two[0].score >= two[1].score));
        prop_assert!(hits.iter().all(|hit| hit.place < tools.len() && !hit.why.is_empty()));
    }

    #[test]
    fn any_tool_can_be_indexed(name in "[^\\p{C}]{1,40}", words in any::<String>()) {
        let tools = [tool(&name, &words, &[&words])];
        searcher("m", &tools).find(&words, 5);
    }
}
