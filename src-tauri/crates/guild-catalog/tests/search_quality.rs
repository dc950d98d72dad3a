//! Measures the search with tasks in users' and agents' words over the tools of 40 real servers.

#[path = "../examples/agents_figures/real.rs"]
mod real;

use guild_catalog::search::{Ranking, Searcher};

use self::real::{RealTool, Task};

#[test]
fn tasks_find_their_tool_among_five() {
    let tools = real::tools().expect("the tools");
    let tasks = real::tasks().expect("the tasks");
    assert!(tools.len() > 1_500 && tasks.len() == 120);
    for aside in [false, true] {
        let of = |ranking, words: fn(&Task) -> &str| {
            let recall = real::recall(&tools, &tasks, ranking, aside, words);
            assert_eq!(recall.tasks, 60);
            recall.percent()
        };
        let users = of(Ranking::TUNED, |task| &task.user);
        let agents = of(Ranking::TUNED, |task| &task.agent);
        let plain = of(Ranking::PLAIN, |task| &task.user);
        println!("aside {aside}: users {users:.1}, plain {plain:.1}, agents {agents:.1}");
        assert!(users >= 50.0, "users' words, aside {aside}: {users:.1} %");
        assert!(
            agents >= 95.0,
            "agents' words, aside {aside}: {agents:.1} %"
        );
        assert!(users > plain, "no better than plain BM25: {plain:.1} %");
    }
}

#[test]
fn weak_hits_lose_no_found_tool() {
    let tools = real::tools().expect("the tools");
    let tasks = real::tasks().expect("the tasks");
    let searcher = Searcher::build(tools.iter().map(RealTool::findable));
    let weak = |words: &dyn Fn(&Task) -> String| {
        let hits = tasks.iter().map(|task| searcher.find(&words(task), 8));
        hits.filter(|hits| hits.iter().all(|hit| hit.weak)).count()
    };
    assert!(weak(&|task| task.agent.clone()) < 6, "agents' words fit");
    let nonsense = searcher.find("zorblax my frumious bandersnatch account", 8);
    assert!(
        nonsense.len() <= 3 && nonsense.iter().all(|hit| hit.weak),
        "{nonsense:?}"
    );
}
