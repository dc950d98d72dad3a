//! The search is held against tasks in plain words over the tools of 40 real servers.

#[path = "../examples/agents_figures/real.rs"]
mod real;

use guild_core::agents::search::Ranking;

#[test]
fn nine_of_ten_tasks_find_their_tool_among_the_first_five() {
    let tools = real::tools().expect("the tools");
    let tasks = real::tasks().expect("the tasks");
    assert!(tools.len() > 1_500 && tasks.len() >= 150);
    let [looked_at, aside] = real::recall(&tools, &tasks, Ranking::TUNED);
    let all = looked_at.with(aside);
    assert!(
        all.percent() >= 91.0,
        "{all:?}, of which were set aside {aside:?}"
    );
    let [looked_at, aside] = real::recall(&tools, &tasks, Ranking::PLAIN);
    let plain = looked_at.with(aside);
    assert!(
        all.found > plain.found,
        "no better than plain BM25: {plain:?}"
    );
}
