package gatebook.api.wrap;

import gatebook.api.cli.option.NodeOptions;
import gatebook.api.log.LogLevel;
import gatebook.api.log.LogOptions;
import gatebook.api.log.LogSink;
import gatebook.api.log.OriginalStdout;
import gatebook.api.node.JoinedNode;
import gatebook.api.rules.RulesFiles;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gatebook wrap}: wraps one MCP server on standard input and output. */
@Command(
    name = "wrap",
    description = {
      "Starts an MCP server, and forwards messages between it and the client of this process.",
      "Messages are lines on standard input and output; log lines go to standard error."
    },
    footer = {
      "",
      "Without a configuration everything is forwarded, and recorded.",
      "Exit code: that of the server when it ended first, 0 when the client left first.",
      "Example: gatebook wrap --data ~/.gatebook-files -- npx -y"
          + " @modelcontextprotocol/server-filesystem ."
    })
public final class WrapCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(WrapCommand.class);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli injects the command's own

  @Mixin private final NodeOptions place = new NodeOptions(System.getenv());
  @Mixin private final LogOptions logOptions = new LogOptions(System.getenv());

  @Option(
      names = "--source",
      paramLabel = "ID",
      description =
          "The source of the configuration whose place the server takes (needed when there are"
              + " several).")
  private @Nullable String source;

  @Parameters(
      paramLabel = "CMD",
      arity = "1..*",
      description = "The server's program and its arguments, after --.")
  private List<String> command = List.of();

  @Override
  public Integer call() throws InterruptedException {
    OriginalStdout.keepForProtocol();
    Optional<Path> file = place.config();
    RulesFile rules =
        RulesFiles.withComment(
            file.map(it -> RulesFiles.of(Optional.of(it), System.getenv()))
                .orElseGet(RulesFiles::forwardingAll),
            "gatebook wrap stands before: " + RecordedCommandLine.of(command));
    Optional<String> refusal = refusal(rules);
    return refusal.isPresent() ? refuse(refusal.get()) : logAndRun(file, rules);
  }

  private int logAndRun(Optional<Path> file, RulesFile rules) throws InterruptedException {
    return switch (logOptions.open(LogLevel.INFO)) {
      case LogSink.Opening.Refused(var sentence) -> refuse(sentence);
      case LogSink.Opening.Opened(var sink) -> run(file, rules, sink);
    };
  }

  private int run(Optional<Path> file, RulesFile rules, LogSink sink) throws InterruptedException {
    try (LogSink log = sink;
        WrapProcess wrapProcess = new WrapProcess(OriginalStdout.stream(), command, log::close)) {
      WrappedSource wrappedSource = wrapProcess.wrappedSource(Optional.ofNullable(source));
      Path directory = place.data();
      return switch (JoinedNode.start(directory, file, rules, wrappedSource::snapshot)) {
        case JoinedNode.Start.Refused(var sentence) -> refuse(sentence);
        case JoinedNode.Start.Serving(var node) -> {
          LOG.atInfo()
              .addKeyValue("data", directory)
              .addKeyValue("rules", file.map(Path::toString).orElse("none"))
              .addKeyValue("program", WrapProcess.program(command))
              .addKeyValue("command", RecordedCommandLine.of(command))
              .log(
                  file.isPresent()
                      ? "wrapping a server"
                      : "wrapping a server, without a configuration: everything is"
                          + " forwarded, and recorded");
          yield wrapProcess.run(node, wrappedSource, new FileInputStream(FileDescriptor.in));
        }
      };
    }
  }

  /** Why these rules cannot be used; empty when they can. */
  private Optional<String> refusal(RulesFile file) {
    return switch (file.read()) {
      case Reading.Broken broken ->
          Optional.of(
              broken.mistakes().stream().map(WrapCommand::line).collect(Collectors.joining("\n")));
      case Reading.Valid valid -> sourceRefusal(valid.rules());
    };
  }

  private Optional<String> sourceRefusal(Rules rules) {
    Optional<String> named = Optional.ofNullable(source);
    if (WrappedSource.source(rules, named).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        named
            .map(
                "the configuration has no source '%s' of kind mcp: name one that it has"::formatted)
            .orElse(
                "the configuration has to have one enabled source of kind mcp whose place the"
                    + " server takes: name it with --source"));
  }

  private static String line(Mistake mistake) {
    return "%s:%s:%s: %s"
        .formatted(mistake.file(), mistake.line(), mistake.column(), mistake.message());
  }

  private int refuse(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }
}
