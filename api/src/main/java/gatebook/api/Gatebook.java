package gatebook.api;

import gatebook.api.cli.ApprovalsCommand;
import gatebook.api.cli.ApproveCommand;
import gatebook.api.cli.ConsoleCommand;
import gatebook.api.cli.DenialsCommand;
import gatebook.api.cli.ErrorsCommand;
import gatebook.api.cli.ForgetCommand;
import gatebook.api.cli.HealthCommand;
import gatebook.api.cli.KeysCommand;
import gatebook.api.cli.ProveCommand;
import gatebook.api.cli.RejectCommand;
import gatebook.api.cli.RulesCommand;
import gatebook.api.cli.TailCommand;
import gatebook.api.cli.TokenCommand;
import gatebook.api.cli.VerifyCommand;
import gatebook.api.cli.backup.BackupCommand;
import gatebook.api.cli.backup.RestoreCommand;
import gatebook.api.cli.lookup.CallsCommand;
import gatebook.api.cli.lookup.DrawTreeCommand;
import gatebook.api.cli.lookup.LookupCommand;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.replay.ParkedCommand;
import gatebook.api.cli.replay.ProjectionsCommand;
import gatebook.api.cli.replay.ReplayCommand;
import gatebook.api.cli.text.VisibleOutput;
import gatebook.api.cli.whatif.WhatIfCommand;
import gatebook.api.log.OriginalStdout;
import gatebook.api.node.ServeCommand;
import gatebook.api.node.StopSignals;
import gatebook.api.node.Version;
import gatebook.api.stdio.StdioCommand;
import gatebook.api.wrap.WrapCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The entry point of Gatebook's command line: {@code gatebook COMMAND}.
 *
 * <p>Results go to stdout, log lines and refusals to stderr. The exit code is 0 when the command
 * succeeded, 1 when it found a problem, 2 when its arguments are wrong.
 */
@Command(
    name = "gatebook",
    description = "A gateway for JSON-RPC that records every call before anyone acts on it.",
    versionProvider = Gatebook.VersionLine.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example: gatebook serve --port 7467",
      "Help for one command: gatebook serve --help"
    })
public final class Gatebook {

  /** The commands that run until they are told to stop. */
  private static final Set<String> NODES = Set.of("serve", "wrap", "stdio");

  private static Map<String, Supplier<Object>> commands() {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("serve", ServeCommand::new);
    commands.put("wrap", WrapCommand::new);
    commands.put("stdio", StdioCommand::new);
    commands.put("health", HealthCommand::new);
    commands.put("console", ConsoleCommand::new);
    commands.put("lookup", LookupCommand::new);
    commands.put("tree", DrawTreeCommand::new);
    commands.put("calls", CallsCommand::new);
    commands.put("denials", DenialsCommand::new);
    commands.put("errors", ErrorsCommand::new);
    commands.put("tail", TailCommand::new);
    commands.put("approvals", ApprovalsCommand::new);
    commands.put("approve", ApproveCommand::new);
    commands.put("reject", RejectCommand::new);
    commands.put("replay", ReplayCommand::new);
    commands.put("projections", ProjectionsCommand::new);
    commands.put("parked", ParkedCommand::new);
    commands.put("token", TokenCommand::new);
    commands.put("keys", KeysCommand::new);
    commands.put("prove", ProveCommand::new);
    commands.put("verify", VerifyCommand::new);
    commands.put("forget", ForgetCommand::new);
    commands.put("backup", BackupCommand::new);
    commands.put("restore", RestoreCommand::new);
    commands.put("whatif", WhatIfCommand::new);
    commands.put("rules", RulesCommand::new);
    return commands;
  }

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this text.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Shows the version, the commit it was built of, and the Java it runs on.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the option itself
  private boolean version;

  private Gatebook() {}

  public static void main(String[] args) {
    if (args.length > 0 && NODES.contains(args[0])) {
      StopSignals.endBeforeStart(); // before anything that takes long
    }
    OriginalStdout.printResults();
    if (args.length > 0 && args[0].equals("stdio") && !List.of(args).contains("--help")) {
      OriginalStdout.keepForProtocol();
      Thread.setDefaultUncaughtExceptionHandler(Gatebook::haltAfterThreadDeath);
    } else {
      Thread.currentThread().setUncaughtExceptionHandler(Gatebook::haltAfterError);
    }
    // unless this is set first, Axon looks for updates on the internet one second after its start
    System.setProperty("axoniq.update-checker.disabled", "true");
    System.exit(commandLine(args).execute(args));
  }

  /** Halts the process: what a command has begun would keep it running without a main thread. */
  private static void haltAfterError(Thread main, Throwable error) {
    try {
      error.printStackTrace();
    } finally {
      Runtime.getRuntime().halt(CommandLine.ExitCode.SOFTWARE);
    }
  }

  /**
   * Halts the process: a daemon without one of its threads would keep the journal and answer no
   * request.
   */
  private static void haltAfterThreadDeath(Thread thread, Throwable failure) {
    try {
      System.err.println(
          "%s ended the thread %s, and so this process: start it again"
              .formatted(failure.getClass().getSimpleName(), thread.getName()));
    } finally {
      Runtime.getRuntime().halt(CommandLine.ExitCode.SOFTWARE);
    }
  }

  /**
   * The command line for these arguments. It contains the called command only: reading the options
   * of all commands takes longer than most commands run.
   */
  static CommandLine commandLine(String... args) {
    CommandLine commandLine = new CommandLine(new Gatebook());
    Map<String, Supplier<Object>> commands = commands();
    if (args.length > 0 && commands.containsKey(args[0])) {
      commands.keySet().retainAll(Set.of(args[0]));
    }
    commands.forEach((name, command) -> commandLine.addSubcommand(name, command.get()));
    return commandLine
        .setOut(VisibleOutput.to(System.out))
        .setErr(VisibleOutput.to(System.err))
        .setParameterExceptionHandler(Gatebook::printUsageError);
  }

  private static int printUsageError(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    JsonOption.printError(
        command,
        List.of(args).contains(JsonOption.NAME),
        "%s: see %s --help".formatted(sentence(error), command.getCommandSpec().qualifiedName()));
    return CommandLine.ExitCode.USAGE;
  }

  private static String sentence(ParameterException error) {
    if (error instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().getFirst();
      if (first.startsWith("-")) {
        String name = first.replaceFirst("=.*", ""); // a value may be a secret
        return "unknown option: '%s'".formatted(name);
      }
      if (error.getCommandLine().getParent() == null) {
        return "unknown command: '%s'".formatted(first);
      }
    }
    return firstLine(Objects.requireNonNullElse(error.getMessage(), "wrong arguments"));
  }

  /** Picocli's messages begin with a capital letter and may span several lines. */
  private static String firstLine(String message) {
    String first = message.lines().findFirst().orElseThrow();
    return first.substring(0, 1).toLowerCase(Locale.ROOT) + first.substring(1);
  }

  static final class VersionLine implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {Version.line()};
    }
  }
}
