# SPDX-License-Identifier: LGPL-2.1-or-later
"""Commands of gst-gles-archive-1.0."""
import argparse
import os
import re
import subprocess
import sys
import time

from . import engines, merge, plan as plans, report, status, work
from .folder import Folder, Stop
from .names import shown

INDEX_VARIABLES = ('SLURM_ARRAY_TASK_ID', 'JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX')
EXIT_FAILED = 1  # of files, too
EXIT_DAMAGED = 3
ROUNDS = 2  # of work and merge: the second has what the first merge set aside, and what a killed worker left
POLL_S = 0.5


def part_length(text):
    try:
        return plans.parse_time(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def outputs(text):
    names = text.split(',')
    unknown = [name for name in names if name not in merge.OUTPUTS]
    if unknown:
        raise argparse.ArgumentTypeError(f'{unknown[0]} is no output: there are {", ".join(merge.OUTPUTS)}')
    return [name for name in merge.OUTPUTS if name in names]


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f'{text} is not a positive number')
    return int(text)


def parser(version):
    top = argparse.ArgumentParser(prog='gst-gles-archive-1.0', description='Analyses an archive of videos in units, on '
                                  'this machine or on a cluster, and merges the results.', allow_abbrev=False)
    top.add_argument('--version', action='version', version=f'gst-gles-archive-1.0 {version}')
    commands = top.add_subparsers(dest='command', required=True, metavar='COMMAND')

    def command(name, text):
        added = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        added.add_argument('-q', '--quiet', action='store_true', help='say nothing but errors')
        return added

    run = command('run', 'Plan, work and merge on this machine; again: go on.')
    plan = command('plan', 'Look at all videos below a folder and write the units.')
    for added in (run, plan):
        added.add_argument('root', metavar='DIR', help='the archive, which is only read')
        added.add_argument('-o', '--output', metavar='RUN', required=True, help='the folder of the run')
        added.add_argument('--part', metavar='TIME', type=part_length, help='cut longer files at keyframes, such as '
                           'every 20min; without it files of over an hour are cut every 20 minutes')
        added.add_argument('--outputs', metavar='LIST', type=outputs, default=list(merge.DEFAULT), help='what the merge '
                           f'writes of each file: {",".join(merge.DEFAULT)}, which is the default, or others of '
                           f'{",".join(merge.OUTPUTS)}')
        added.add_argument('--qctools', action='store_true', help='also write the XML that QCTools opens')
        added.add_argument('--signalstats', metavar='SET', help='measures that need more passes: sat, hue, tout, vrep, '
                           'brng, crop, with commas between, or all')
        added.add_argument('-d', '--device', metavar='SPEC', default='cpu', help='where to analyse, as '
                           'gst-gles-report-1.0 takes it; cpu by default')
        added.add_argument('-s', '--set', metavar='ELEMENT.PROPERTY=VALUE', action='append', default=[], help='set a '
                           'property, as gst-gles-report-1.0 takes it; more than once')
        added.add_argument('--no-sound', action='store_true', help='do not decode sound')
        added.add_argument('-t', '--timeout', metavar='SECONDS', help='end a unit when no data moved for so long')
    works = command('work', 'Analyse units.')
    works.add_argument('folder', metavar='RUN')
    works.add_argument('--index', metavar='I', type=int, help='number of this task, from 0; without it the environment '
                       f'variable {", ".join(INDEX_VARIABLES)}, or else all units that nobody else is at')
    works.add_argument('--tasks', metavar='N', type=positive, help='how many tasks there are: each has every Nth unit; '
                       'without it as many as units')
    submit = command('submit', 'Start the work on a cluster, and the merge when it has ended.')
    submit.add_argument('folder', metavar='RUN')
    submit.add_argument('--engine', required=True, choices=engines.ENGINES)
    submit.add_argument('--print', dest='only_print', action='store_true', help='print what would be submitted')
    submit.add_argument('--tasks', metavar='N', type=positive, help='at most so many tasks')
    submit.add_argument('--option', metavar='OPTION', action='append', default=[], help='an option of sbatch, such as '
                        '--option=--partition=long; more than once')
    submit.add_argument('--image', metavar='IMAGE', help='the container image (kubernetes)')
    submit.add_argument('--claim', metavar='NAME', help='the PersistentVolumeClaim with RUN and the archive (kubernetes)')
    submit.add_argument('--mount', metavar='PATH', help='where the claim is mounted; the folder of RUN by default')
    submit.add_argument('--parallel', metavar='N', type=positive, help='pods at a time (kubernetes)')
    merges = command('merge', 'Make the outputs of all files, the database and the index; what is missing is told.')
    merges.add_argument('folder', metavar='RUN')
    for added in (run, merges):
        added.add_argument('-j', '--jobs', metavar='N', type=positive, default=len(os.sched_getaffinity(0)),
                           help='processes; one for each processor by default')
        added.add_argument('--ignore-damage', action='store_true', help='end with status 0 also if files are damaged')
    for name, text in (('status', 'Say how far a run is.'), ('retry', 'Forget failures, so that units are tried again.')):
        command(name, text).add_argument('folder', metavar='RUN')
    return top


def make_plan(options, say):
    settings = ['--device', options.device]
    for setting in options.set:
        settings += ['--set', setting]
    if options.no_sound:
        settings.append('--no-sound')
    if options.timeout:
        settings += ['--timeout', options.timeout]
    if options.signalstats:
        settings += ['--signalstats', options.signalstats]
    if options.qctools:
        options.outputs = [name for name in merge.OUTPUTS if name in (*options.outputs, 'qctools')]
    root = os.path.realpath(options.root)
    if not os.path.isdir(root):
        raise Stop(f'{options.root} is not a folder')
    folder = Folder(os.path.realpath(options.output))
    folder.create()
    folder.sweep()
    plan = plans.Plan(root, report.version(), settings, options.part, options.outputs)
    n_files, n_left_out = plans.make(folder, plan, plans.say_progress)
    say(f'{n_files} files, {len(plan.units)} units, {sum(map(status.weight, plan.units)) / 3600:.2f} h of video')
    if n_left_out:
        say(f'{n_left_out} other entries are left out: {folder.left_out} says why')
    return folder, plan


def do_plan(options, say):
    make_plan(options, say)


def task_index(options):
    """The number of this task, or None."""
    found = [name for name in INDEX_VARIABLES if name in os.environ]
    if options.index is not None or not found:
        return options.index
    text = os.environ[found[0]]
    if not re.fullmatch('[0-9]+', text, re.A):
        raise Stop(f'{found[0]} is "{shown(text)}", which is no number of a task: unset it, or use --index')
    return int(text)


def do_work(options, say):
    folder = Folder(options.folder)
    plan = plans.read(folder)
    index = task_index(options)
    with work.terminable():
        if index is None:
            left = work.work_all(folder, plan, plan.units)
        else:
            tasks = options.tasks or len(plan.units)
            if not 0 <= index < tasks:
                raise Stop(f'there is no task {index}: the tasks are 0 to {tasks - 1}')
            left = work.work_on(folder, plan, plan.units[index::tasks])
    if left:
        say(f'{left} units have failed: `gst-gles-archive-1.0 status {options.folder}` says why')
    return EXIT_FAILED if left else 0


def say_outcomes(options, folder, outcomes, say):
    """Returns the exit status."""
    counts = {}
    for outcome in outcomes:
        counts[outcome.state] = counts.get(outcome.state, 0) + 1
        if outcome.state != 'complete':
            say(shown(f'{outcome.state}: {outcome.name}: {outcome.error}'))
    say(', '.join(f'{count} {state}' for state, count in sorted(counts.items())) + f': {folder.index}')
    if any(outcome.state == 'failed' and outcome.summary is None for outcome in outcomes):
        say(f'`gst-gles-archive-1.0 retry {folder.path}` forgets failures, so that they are tried again')
    if 'failed' in counts or 'missing' in counts:
        return EXIT_FAILED
    return EXIT_DAMAGED if 'damaged' in counts and not options.ignore_damage else 0


def do_merge(options, say):
    folder = Folder(options.folder)
    plan = plans.read(folder)
    folder.sweep()
    outcomes = merge.merge(folder, plan, options.jobs, plans.say_progress)
    return say_outcomes(options, folder, outcomes, say)


def do_status(options, _say):
    folder = Folder(options.folder)
    plan = plans.read(folder)
    found = status.Status(folder, plan)
    print('\n'.join(found.lines(folder)))
    return EXIT_FAILED if found.left or found.failed else 0


def do_retry(options, say):
    folder = Folder(options.folder)
    plan = plans.read(folder)
    units = plan.units + [plan.whole(unit) for unit in plan.units if unit.kind != 'whole']
    failed = {unit.id for unit in units if folder.failures(unit.id) and not folder.is_done(unit.id)}
    for identity in failed:
        folder.forget_failures(identity)
    say(f'{len(failed)} units will be tried again')


def do_submit(options, say):
    folder = Folder(os.path.realpath(options.folder))
    engines.submit(options, folder, plans.read(folder), say)


def estimate(found, begun_s, done_before_s):
    """What is left, from what was done since the beginning."""
    done = found.seconds['done'] + found.seconds['failed']
    total, gained = done + found.seconds['left'], done - done_before_s
    text = f'{len(found.done) + len(found.failed)} of {len(found.done) + len(found.failed) + len(found.left)} units'
    if gained <= 0:
        return text
    left_s = (time.monotonic() - begun_s) * (total - done) / gained
    return f'{text}, {left_s // 3600:.0f}:{left_s % 3600 // 60:02.0f}:{left_s % 60:02.0f} left'


def watch(folder, plan, workers):
    """Waits for workers and shows how far they are."""
    begun, before = time.monotonic(), None
    while any(worker.poll() is None for worker in workers):
        found = status.Status(folder, plan)
        done = found.seconds['done'] + found.seconds['failed']
        before = done if before is None else before
        plans.say_progress(estimate(found, begun, before))
        # counting a hundred thousand units takes a while
        time.sleep(POLL_S + len(plan.units) / 10000)


def work_here(options, folder, plan):
    """Works with several processes on this machine."""
    command = [sys.executable, sys.argv[0], 'work', '--quiet', folder.path]
    environment = {name: value for name, value in os.environ.items() if name not in INDEX_VARIABLES}
    cpus = sorted(os.sched_getaffinity(0))
    # each on a processor of its own: decoders and analysers start as many threads as there are
    workers = [subprocess.Popen(['taskset', '--cpu-list', str(cpus[number % len(cpus)]), *command], env=environment)
               for number in range(min(options.jobs, len(plan.units)))]
    try:
        watch(folder, plan, workers)
    except KeyboardInterrupt:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()
        raise
    killed = [-worker.returncode for worker in workers if worker.returncode < 0]
    if killed:
        print(f'gst-gles-archive-1.0: a worker was killed by signal {killed[0]}', file=sys.stderr)


def do_run(options, say):
    folder, plan = make_plan(options, say)
    with work.terminable():
        for _ in range(ROUNDS):
            work_here(options, folder, plan)
            outcomes = merge.merge(folder, plan, options.jobs, plans.say_progress)
            if not any(outcome.state == 'missing' for outcome in outcomes):
                break
    return say_outcomes(options, folder, outcomes, say)


COMMANDS = {'run': do_run, 'plan': do_plan, 'work': do_work, 'merge': do_merge, 'status': do_status, 'retry': do_retry,
            'submit': do_submit}


def main(version):
    options = parser(version).parse_args()
    sys.stdout.reconfigure(errors='backslashreplace')

    def say(text):
        if not options.quiet:
            plans.say_progress('')
            print(text, flush=True)

    if options.quiet:
        plans.say_progress = lambda text: None
    try:
        sys.exit(COMMANDS[options.command](options, say) or 0)
    except Stop as error:
        plans.say_progress('')
        sys.exit(f'gst-gles-archive-1.0: {error}')
    except KeyboardInterrupt:
        plans.say_progress('')
        sys.exit(130)
    except OSError as error:
        sys.exit(f'gst-gles-archive-1.0: {error.filename or options.command}: {error.strerror or error}')
