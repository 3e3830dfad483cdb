//! Faults while results are written: processes that are killed, disks that are full, runs that write the same files.
//!
//! In: the executable `partita` and an empty folder. Out: what was done, or the first thing that is not as it should be.
//! Method: a command is first run undisturbed, with two values of a parameter, which gives the only two contents that each of its files
//! may ever have. Then it is disturbed again and again; after every fault each of its files has one of these contents, byte by byte,
//! or is not there, and all other files of the folder are as they were.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A model with a state, an input and parameters, whose run writes some hundred thousand bytes.
const MODEL: &str = "model Fault
  parameter Real k = 1, q[40] = fill(2, 40);
  input Real u(start = 0);
  Real x(start = 1, fixed = true), z(start = 0, fixed = true), y[20];
equation
  der(x) = u - k*x;
  der(z) = x - 0.01*z;
  for i in 1:20 loop
    y[i] = i*x + q[i];
  end for;
  annotation(experiment(StopTime = 4, Interval = 0.01, Tolerance = 1e-6));
end Fault;
";

/// Files of the user, which no command may touch.
const USERS: [(&str, &str); 4] =
    [("Fault.mo", MODEL), ("u.csv", "time,u\n0,0\n4,1\n"), ("notes.part", "mine\n"), ("r.mat.part", "mine, too\n")];

/// What is run: its files, and its arguments with `K` for the value of the parameter.
struct Job {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    outputs: Vec<&'static str>,
    /// By value of the parameter: the contents of its files.
    whole: Vec<BTreeMap<&'static str, Vec<u8>>>,
}

impl Job {
    fn command(&self, k: usize, folder: &Path, at: &str) -> Command {
        let mut command = Command::new(&self.program);
        let value = ["1", "1.5"][k];
        command.args(self.arguments.iter().map(|word| word.replace("AT/", at).replace("VALUE", value)));
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Every file is what one of the undisturbed runs gives, or what `allows_none` says.
    fn check(&self, folder: &Path, allows_none: bool) -> Result<(), String> {
        for name in &self.outputs {
            match std::fs::read(folder.join(name)) {
                Ok(bytes) if self.whole.iter().any(|whole| whole[name] == bytes) => {}
                Ok(bytes) => return Err(format!("{}: {name} has {} bytes that no run writes", self.name, bytes.len())),
                Err(_) if allows_none => {}
                Err(error) => return Err(format!("{}: {name}: {error}", self.name)),
            }
        }
        Ok(())
    }
}

/// A folder with the files of a user, and what is run in it.
pub struct Faults {
    folder: PathBuf,
    jobs: Vec<Job>,
    random: u64,
}

/// The names of a folder's files, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Temporary files.
fn parts(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.ends_with(".part") && name.contains("partita-")).collect()
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}

fn finished(mut command: Command) -> Result<Output, String> {
    command.spawn().map_err(text)?.wait_with_output().map_err(text)
}

impl Faults {
    /// Prepares a folder: files of a user, a simulator, and the contents of undisturbed runs.
    pub fn new(partita: &Path, folder: &Path) -> Result<Faults, String> {
        for (name, content) in USERS {
            std::fs::write(folder.join(name), content).map_err(text)?;
        }
        let built = Command::new(partita).args(["build", "Fault.mo", "-o", "simulator"]).current_dir(folder).output().map_err(text)?;
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        let words = |line: &str| line.split(' ').map(str::to_string).collect::<Vec<_>>();
        let mat =
            words("run Fault.mo --input u.csv --set k=VALUE -o AT/r.mat --plot x,y[3]=AT/p.svg --plot x=AT/p.png --jacobian=AT/j.csv");
        let csv = words("run Fault.mo --input u.csv --set k=VALUE -o AT/r.csv --filter .*");
        let simulator = words("-csvInput=u.csv -override=k=VALUE -r=AT/s.mat");
        let page = words("analyze Fault.mo --at 0 --set k=VALUE --html AT/a.html");
        let job = |name, program: &Path, arguments, outputs: &[&'static str]| Job {
            name,
            program: program.to_path_buf(),
            arguments,
            outputs: outputs.to_vec(),
            whole: Vec::new(),
        };
        let mut jobs = vec![
            job("run to .mat", partita, mat, &["r.mat", "p.svg", "p.png", "j.csv"]),
            job("run to .csv", partita, csv, &["r.csv"]),
            job("simulator", &folder.join("simulator"), simulator, &["s.mat"]),
            job("analyze", partita, page, &["a.html"]),
        ];
        for job in &mut jobs {
            for k in 0..2 {
                let output = finished(job.command(k, folder, ""))?;
                if !output.status.success() {
                    return Err(format!("{}: {}", job.name, String::from_utf8_lossy(&output.stderr)));
                }
                let contents = job.outputs.iter().map(|name| Ok((*name, std::fs::read(folder.join(name)).map_err(text)?)));
                job.whole.push(contents.collect::<Result<_, String>>()?);
            }
        }
        Ok(Faults { folder: folder.to_path_buf(), jobs, random: 0x9e37_79b9_7f4a_7c15 })
    }

    /// A number from 0 to 1, by xorshift.
    fn part(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The files of the user are as they were.
    fn untouched(&self) -> Result<(), String> {
        for (name, content) in USERS {
            if std::fs::read(self.folder.join(name)).map_err(|error| format!("{name}: {error}"))? != content.as_bytes() {
                return Err(format!("{name} is not what it was"));
            }
        }
        Ok(())
    }

    /// Kills each command at `n` random moments, the next of the two after the other; how many were killed before their end.
    pub fn kill(&mut self, n: usize) -> Result<usize, String> {
        let mut killed = 0;
        for at in 0..self.jobs.len() {
            let began = Instant::now();
            finished(self.jobs[at].command(0, &self.folder, ""))?;
            let time = began.elapsed();
            for i in 0..n {
                let moment = time.mul_f64(1.1 * self.part());
                let mut child = self.jobs[at].command(i % 2, &self.folder, "").spawn().map_err(text)?;
                std::thread::sleep(moment);
                child.kill().map_err(text)?;
                killed += usize::from(!child.wait().map_err(text)?.success());
                self.jobs[at].check(&self.folder, false)?;
                self.untouched()?;
            }
            // What they left behind is gone when the next one writes.
            finished(self.jobs[at].command(0, &self.folder, ""))?;
            let left = parts(&self.folder);
            if !left.is_empty() {
                return Err(format!("{}: {left:?} are left of processes that were killed", self.jobs[at].name));
            }
        }
        Ok(killed)
    }

    /// Two runs write the same files at once, `n` times each: both succeed, and what is there is that of one of them. How often the second one was last.
    pub fn collide(&mut self, n: usize) -> Result<usize, String> {
        let mut later = 0;
        for at in 0..self.jobs.len() {
            for i in 0..n {
                let pause = Duration::from_millis(if i % 2 == 0 { 0 } else { (30.0 * self.part()) as u64 });
                let job = &self.jobs[at];
                let first = job.command(0, &self.folder, "").spawn().map_err(text)?;
                std::thread::sleep(pause);
                let second = job.command(1, &self.folder, "").spawn().map_err(text)?;
                for child in [first, second] {
                    let output = child.wait_with_output().map_err(text)?;
                    if !output.status.success() {
                        return Err(format!("{}: {}", job.name, String::from_utf8_lossy(&output.stderr)));
                    }
                }
                job.check(&self.folder, false)?;
                self.untouched()?;
                let left = parts(&self.folder);
                if !left.is_empty() {
                    return Err(format!("{}: {left:?} are left of two runs", job.name));
                }
                let name = job.outputs[0];
                later += usize::from(std::fs::read(self.folder.join(name)).map_err(text)? == job.whole[1][name]);
            }
        }
        Ok(later)
    }

    /// Lets files grow up to a limit only, for every limit in blocks of 512 bytes up to that at which all is written: what is left is whole, and the message
    /// names a file. How many runs failed.
    pub fn limit(&mut self, step: usize) -> Result<usize, String> {
        let mut failed = 0;
        for job in &self.jobs {
            let largest = job.whole[0].values().map(Vec::len).max().unwrap_or(0) / 512 + 2;
            for blocks in (0..=largest).step_by(step) {
                let plain = job.command(1, &self.folder, "");
                let mut command = Command::new("sh");
                command
                    .args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""), "sh"])
                    .arg(plain.get_program())
                    .args(plain.get_args());
                command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
                let output = finished(command)?;
                failed += usize::from(!output.status.success());
                self.after_a_full_disk(job, &output, &self.folder, false)?;
            }
        }
        Ok(failed)
    }

    /// What must hold after a command whose writes may have failed.
    fn after_a_full_disk(&self, job: &Job, output: &Output, folder: &Path, allows_none: bool) -> Result<(), String> {
        job.check(folder, allows_none)?;
        self.untouched()?;
        let left = parts(folder);
        if !left.is_empty() {
            return Err(format!("{}: {left:?} are left", job.name));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let names_one =
            job.outputs.iter().any(|name| said.contains(name)) && said.contains("cannot write") && output.status.code() == Some(2);
        if output.status.success() || names_one { Ok(()) } else { Err(format!("{}: {}: {said}", job.name, output.status)) }
    }

    /// Writes to a file system of every size, in steps of so many pages, up to that at which all is written. How many runs failed; nothing if no such file
    /// system can be mounted here.
    pub fn fill(&mut self, step: usize) -> Result<Option<usize>, String> {
        let disk = self.folder.join("disk");
        std::fs::create_dir_all(&disk).map_err(text)?;
        let mount = |pages: usize| {
            let options = format!("size={}", pages * 4096);
            Command::new("mount")
                .args(["-t", "tmpfs", "-o", &options, "none"])
                .arg(&disk)
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        let unmount = || Command::new("umount").arg(&disk).status().is_ok_and(|status| status.success());
        let mut failed = 0;
        for job in &self.jobs {
            let mut pages = 1;
            loop {
                if !mount(pages) {
                    return Ok(None);
                }
                let outcome = finished(job.command(0, &self.folder, "disk/")).and_then(|output| {
                    self.after_a_full_disk(job, &output, &disk, !output.status.success())?;
                    Ok(output.status.success())
                });
                if !unmount() {
                    return Err("the file system cannot be unmounted".to_string());
                }
                if outcome? {
                    break;
                }
                failed += 1;
                pages += step;
            }
        }
        Ok(Some(failed))
    }
}
