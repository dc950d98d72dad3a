//! Property tests: a command and the container made of it start with the same options.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::command::{ContainerCommand, parse_run};
use super::*;
use guild_text::messages::to_strings;

/// The options of a command, independent of their spelling and order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Says {
    env: BTreeMap<String, String>,
    /// Sources, targets, and whether they are read only.
    mounts: BTreeSet<(String, String, bool)>,
    /// Options with one value.
    values: BTreeMap<&'static str, String>,
    read_only: bool,
    image: String,
    args: Vec<String>,
}

const VALUES: &[(&str, &[&str])] = &[
    ("--network", &["none", "lan"]),
    ("--memory", &["512m", "1g", "67108864"]),
    ("--cpus", &["1.5", "2"]),
    ("--pids-limit", &["64"]),
    ("--user", &["1000:1000", "node"]),
    ("--entrypoint", &["/bin/serve", "sh"]),
];
/// Short forms of options with a value.
const SHORT: &[(&str, &str)] = &[("--memory", "-m"), ("--user", "-u"), ("--env", "-e")];
/// Options that don't affect a member's container.
const IDLE: &[&[&str]] = &[
    &["--rm"],
    &["-i"],
    &["-it"],
    &["-ti"],
    &["--interactive=true"],
    &["--init"],
    &["--name", "n"],
    &["--name=n"],
    &["--label", "a=b"],
    &["-l=a=b"],
    &["-a", "stdin"],
    &["--cap-drop=ALL"],
    &["--security-opt=no-new-privileges:true"],
    &["--tty=false"],
    &["--privileged=false"],
];

fn says() -> impl Strategy<Value = Says> {
    let name = "[A-Z][A-Z0-9_]{0,6}";
    // A variable for the engine itself would keep the command from becoming a container.
    let name = name.prop_filter("the engine's own", |name| !decides_the_engine(name));
    let env = proptest::collection::btree_map(name, "[a-zA-Z0-9=:/, .-]{0,12}", 0..4);
    let mount = (
        "/[a-z]{1,6}(/[a-z.]{1,4}){0,2}",
        "/[a-z]{1,6}",
        any::<bool>(),
    );
    let mounts = proptest::collection::btree_set(mount, 0..4);
    let values = VALUES
        .iter()
        .map(|(option, values)| (Just(*option), proptest::option::of(0..values.len())))
        .collect::<Vec<_>>();
    let args = proptest::collection::vec("[a-z=/ -]{0,8}", 0..4);
    let image = "[a-z]{1,8}(/[a-z]{1,8}){0,2}(:[a-z0-9]{1,4})?";
    (env, mounts, values, any::<bool>(), image, args).prop_map(
        |(env, mounts, values, read_only, image, args)| {
            let chosen = values.into_iter().filter_map(|(option, at)| {
                let (_, values) = VALUES.iter().find(|(known, _)| *known == option)?;
                Some((option, values[at?].to_owned()))
            });
            Says {
                env,
                mounts,
                values: chosen.collect(),
                read_only,
                image,
                args,
            }
        },
    )
}

/// Writes an option and its value in one of the possible forms.
fn pair(option: &str, value: &str, way: u8) -> Vec<String> {
    let short = SHORT.iter().find(|(long, _)| *long == option);
    match (way % 6, short) {
        (0, _) | (3.., None) => vec![option.to_owned(), value.to_owned()],
        (1 | 2, _) => vec![format!("{option}={value}")],
        (3, Some((_, short))) => vec![(*short).to_owned(), value.to_owned()],
        // An attached value would lose a leading `=`.
        (4, Some((_, short))) if !value.is_empty() => vec![format!("{short}={value}")],
        (_, Some((_, short))) if !value.is_empty() && !value.starts_with('=') => {
            vec![format!("-it{}{value}", &short[1..])]
        }
        _ => vec![option.to_owned(), value.to_owned()],
    }
}

impl Says {
    /// Returns the words of a command with these options, and the variables of the engine's
    /// program.
    fn command(&self, ways: &[u8], idle: &[usize]) -> (Vec<String>, BTreeMap<String, String>) {
        let mut ways = ways.iter().copied().cycle();
        let mut way = || ways.next().unwrap_or_default();
        let mut options: Vec<Vec<String>> = Vec::new();
        let mut set = BTreeMap::new();
        for (name, value) in &self.env {
            let said = match way() % 2 {
                0 => format!("{name}={value}"),
                _ => {
                    set.insert(name.clone(), value.clone());
                    name.clone()
                }
            };
            options.push(pair("--env", &said, way()));
        }
        for (source, target, read_only) in &self.mounts {
            let only = if *read_only { ":ro" } else { "" };
            let readonly = if *read_only { ",readonly" } else { "" };
            options.push(match way() % 4 {
                0 => vec!["-v".to_owned(), format!("{source}:{target}{only}")],
                1 => pair("--volume", &format!("{source}:{target}{only}"), way()),
                2 => pair(
                    "--mount",
                    &format!("type=bind,src={source},dst={target}{readonly}"),
                    way(),
                ),
                _ => pair(
                    "--mount",
                    &format!("source={source},type=bind,target={target}{readonly}"),
                    way(),
                ),
            });
        }
        for (option, value) in &self.values {
            options.push(pair(option, value, way()));
        }
        if self.read_only {
            options.push(vec![
                ["--read-only", "--read-only=true"][usize::from(way() % 2)].to_owned(),
            ]);
        }
        let idle = idle.iter().map(|at| IDLE[at % IDLE.len()]);
        options.extend(idle.map(|words| words.iter().map(|&word| word.to_owned()).collect()));
        let turns = usize::from(way()) % options.len().max(1);
        options.rotate_left(turns);
        let mut words = vec!["run".to_owned()];
        words.extend(options.into_iter().flatten());
        if way() % 4 == 0 {
            words.push("--".to_owned());
        }
        words.push(self.image.clone());
        words.extend(self.args.iter().cloned());
        (words, set)
    }

    /// Parses the arguments of a member's start, which have one fixed spelling.
    fn of_start(container: &Container) -> Self {
        let member = MemberName::parse("notes").expect("valid");
        let start = ContainerStart {
            member: &member,
            run: "1",
            port: None,
        };
        let mut says = Self::default();
        let mut words = container.run_args(&start).into_iter().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().expect("a value");
            match word.as_str() {
                "--rm" | "--interactive" | "--init" => {}
                "--read-only" => says.read_only = true,
                "--name" | "--label" | "--cap-drop" | "--security-opt" => drop(value()),
                "--pull" => assert_eq!(value(), "never", "it is fetched before"),
                "--env" => {
                    let said = value();
                    let (name, value) = match said.split_once('=') {
                        Some((name, value)) => (name.to_owned(), value.to_owned()),
                        None => (said.clone(), container.env[&said].clone()),
                    };
                    says.env.insert(name, value);
                }
                "--mount" => {
                    let said = value();
                    let said = said.strip_prefix("type=bind,source=").expect("a folder");
                    let (source, rest) = said.split_once(",target=").expect("a target");
                    let target = rest.strip_suffix(",readonly");
                    says.mounts.insert((
                        source.to_owned(),
                        target.unwrap_or(rest).to_owned(),
                        target.is_some(),
                    ));
                }
                option if option.starts_with("--") => {
                    let known = VALUES.iter().find(|(known, _)| *known == option);
                    let (known, _) = known.unwrap_or_else(|| panic!("{option} was not said"));
                    says.values.insert(known, value());
                }
                image => {
                    says.image = image.to_owned();
                    says.args = words.collect();
                    break;
                }
            }
        }
        says
    }
}

fn read(
    words: &[String],
    set: &BTreeMap<String, String>,
) -> Result<ContainerCommand<String>, Vec<String>> {
    let read = parse_run(&"docker".to_owned(), words, set, None).expect("it runs a container");
    read.map_err(|beyond| to_strings(&beyond))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn converted_container_starts_like_its_command(
        says in says(),
        ways in proptest::collection::vec(any::<u8>(), 1..24),
        idle in proptest::collection::vec(0..IDLE.len(), 0..4),
    ) {
        let (words, set) = says.command(&ways, &idle);
        let read = read(&words, &set).map_err(|why| TestCaseError::fail(format!("{why:?}: {words:?}")))?;
        prop_assert_eq!(Says::of_start(&read.container), says, "{:?}", words);
        prop_assert_eq!(read.kept_outside, Vec::<String>::new());
        prop_assert_eq!(read.passed, BTreeSet::new());
    }

    #[test]
    fn any_command_becomes_container_or_reason(
        words in proptest::collection::vec("(--?[a-z=-]{0,12}|[ -~]{0,16}|run|-e|-v|--mount|img)", 0..12),
        set in proptest::collection::btree_map("[A-Z]{1,3}", ".{0,8}", 0..3),
    ) {
        let args: Vec<String> = ["run".to_owned()].into_iter().chain(words).collect();
        match read(&args, &set) {
            Ok(read) => prop_assert!(is_image(&read.container.image)),
            Err(reasons) => {
                prop_assert!(!reasons.is_empty() && reasons.len() <= 16);
                prop_assert!(reasons.iter().all(|why| why.chars().count() <= 200));
            }
        }
    }
}

#[test]
fn option_takes_its_value_before_the_image() {
    let read = |line: &str| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        read(&words, &BTreeMap::new())
    };
    for (line, image, args) in [
        ("run -a stdin -a stdout img x", "img", "x"),
        ("run -itu 1000 img", "img", ""),
        ("run -itu1000 img -i", "img", "-i"),
        ("run --rm=false -i=true -t=0 img", "img", ""),
        ("run -- img -- x", "img", "-- x"),
        ("run --network a --net=a img", "img", ""),
        ("run --replace=false --sig-proxy=false img", "img", ""),
        ("run -e A -e B=c=d img", "img", ""),
    ] {
        let read = read(line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
        assert_eq!(read.container.image, image, "{line}");
        assert_eq!(read.container.args.join(" "), args, "{line}");
    }
    for (line, why) in [
        (
            "run --device /dev/kvm img",
            "`container` has no field for `--device`",
        ),
        (
            "run -w /src img",
            "`container` has no field for `--workdir`",
        ),
        ("run -P img", "`container` has no field for `--publish-all`"),
        (
            "run -d=true img",
            "`--detach` runs the server in the background, without stdin",
        ),
        ("run -x img", "`container` has no field for `-x`"),
        (
            "run --security-opt no-new-privileges:false img",
            "`container` has no field for `--security-opt no-new-privileges:false`",
        ),
        (
            "run --memory lots img",
            "`container` has no field for `--memory lots`",
        ),
        (
            "run -v /a:/b:rshared img",
            "`container` has no field for `rshared` of the volume `/a:/b:rshared`",
        ),
        (
            "run --mount type=tmpfs,target=/t img",
            "the mount `type=tmpfs,target=/t` is not a folder on this machine",
        ),
        ("run --tty=perhaps img", "`--tty=perhaps` must be on or off"),
        (
            "run --network a --network b img",
            "`container` allows one network only, so `b` can't be added",
        ),
        (
            "run --network bridge --net a img",
            "`container` allows one network only, so `a` can't be added",
        ),
        (
            "run --tls-verify=false img",
            "`container` has no field for `--tls-verify=false`",
        ),
        (
            "run --http-proxy=0 img",
            "`container` has no field for `--http-proxy=false`",
        ),
        (
            "run --disable-content-trust=false img",
            "`container` has no field for `--disable-content-trust=false`",
        ),
        ("run -e =x img", "`--env =x` names no variable"),
        ("run -e", "`--env` has no value"),
    ] {
        let reasons = read(line).expect_err(line);
        assert!(
            reasons.iter().any(|reason| reason == why),
            "{line}: {reasons:?}"
        );
    }
}

#[test]
fn engine_variables_keep_the_plain_command() {
    let of = |engine: &str, words: &str, name: &str| {
        let args: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let set = BTreeMap::from([(name.to_owned(), "given".to_owned())]);
        let read = parse_run(&engine.to_owned(), &args, &set, None).expect("it runs a container");
        read.map_err(|beyond| to_strings(&beyond))
    };
    for name in [
        "DOCKER_HOST",
        "DOCKER_CONTEXT",
        "DOCKER_CONFIG",
        "CONTAINER_HOST",
        "XDG_RUNTIME_DIR",
    ] {
        let why = format!("`{name}` selects the engine that runs the container");
        for words in ["run -i img".to_owned(), format!("run -i -e {name} img")] {
            let reasons = of("docker", &words, name).expect_err(&words);
            assert_eq!(reasons, [why.as_str()], "{words}");
        }
        // The same variable inside the container does not affect the engine.
        let inside = format!("run -i -e {name}=inside img");
        let read = of("docker", &inside, "OTHER").expect(&inside);
        assert_eq!(read.container.env[name], "inside");
    }
    for name in ["HTTP_PROXY", "https_proxy", "NO_PROXY"] {
        let handed = of("podman", "run -i img", name).expect_err("Podman hands it on");
        assert_eq!(
            handed,
            [format!(
                "`{name}` is set for Podman, which passes it to the container"
            )]
        );
        let passed = of("podman", &format!("run -i -e {name} img"), name).expect("passed");
        assert_eq!(passed.container.env[name], "given");
        let docker = of("docker", "run -i img", name).expect("Docker keeps it");
        assert_eq!(docker.kept_outside, [name]);
    }
}
