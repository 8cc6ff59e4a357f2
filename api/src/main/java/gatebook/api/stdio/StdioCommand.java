package gatebook.api.stdio;

import gatebook.api.cli.option.NodeOptions;
import gatebook.api.cli.option.OperatorTokenOption;
import gatebook.api.daemon.BuiltInMethods;
import gatebook.api.daemon.BuiltInMethods.Described;
import gatebook.api.daemon.DaemonMethods;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.log.LogLevel;
import gatebook.api.log.LogOptions;
import gatebook.api.log.LogSink;
import gatebook.api.node.JoinedNode;
import gatebook.api.node.Version;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gatebook stdio}: a daemon that ends with the process that started it. */
@Command(
    name = "stdio",
    description = {
      "Answers one caller on standard input and output, in frames with a Content-Length.",
      "With an operator's token it also answers the methods audit.*."
    },
    footer = {
      "",
      "Standard output carries frames only; log lines go to standard error, or to the file in"
          + " $DUET_RPC_LOG.",
      "Example: gatebook stdio --config gatebook.yaml --data ./gatebook-data"
    })
public final class StdioCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(StdioCommand.class);

  private static final List<Described> TOOLS =
      List.of(
          new Described(
              McpMethod.TOOLS_LIST,
              "The tools of the sources that can be called.",
              McpMethod.params(McpMethod.TOOLS_LIST).orElseThrow(),
              "{tools: [{name: string, inputSchema: object}]}"),
          new Described(
              McpMethod.TOOLS_CALL,
              "Calls one of them, by its name and with its arguments.",
              McpMethod.params(McpMethod.TOOLS_CALL).orElseThrow().only("name", "arguments"),
              "{content: [object], structuredContent: object?, isError: boolean?}"));

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli injects the command's own

  private final Map<String, String> environment = System.getenv();

  @Mixin private final NodeOptions place = new NodeOptions(environment);
  @Mixin private final OperatorTokenOption tokenOption = new OperatorTokenOption(environment);

  @Mixin private final LogOptions logOptions = new LogOptions(environment);

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "debug, info, warn or error (${DEFAULT-VALUE}).",
      defaultValue = "info")
  private String level = "";

  @Option(names = "--no-color", description = "Changes nothing: log lines never have colours.")
  @SuppressWarnings("UnusedVariable") // accepted because clients pass it
  private boolean noColor;

  @Override
  public Integer call() throws InterruptedException {
    LogLevel from =
        LogLevel.named(level)
            .orElseThrow(() ->
                usageError(
                    "no log level: '%s', choose one of %s".formatted(level, LogLevel.words())));
    return switch (logOptions.open(from)) {
      case LogSink.Opening.Refused(var sentence) -> refuse(sentence);
      case LogSink.Opening.Opened(var sink) -> runAndClose(sink, from);
    };
  }

  private int runAndClose(LogSink sink, LogLevel from) throws InterruptedException {
    try (sink) {
      return run(sink, from);
    }
  }

  private ParameterException usageError(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private int run(LogSink sink, LogLevel from) throws InterruptedException {
    DaemonProcess daemonProcess = new DaemonProcess(sink, new FileInputStream(FileDescriptor.in));
    Optional<String> operator = tokenOption.token();
    BuiltInMethods builtInMethods =
        new BuiltInMethods(Version.text(), otherMethods(operator.isPresent()), daemonProcess);
    return switch (JoinedNode.start(
        place.data(), place.config(), new DaemonMethods(builtInMethods))) {
      case JoinedNode.Start.Refused(var sentence) -> refuse(daemonProcess, sentence);
      case JoinedNode.Start.Serving(var node) -> {
        LOG.atInfo()
            .addKeyValue("version", Version.text())
            .addKeyValue("pid", ProcessHandle.current().pid())
            .addKeyValue("log_level", from.word())
            .addKeyValue("log_sink", sink.place())
            .log("serving on standard input and output");
        yield daemonProcess.run(node, backend(node, builtInMethods, operator));
      }
    };
  }

  /** The other methods to list; a source's own methods are unknown here. */
  private static List<Described> otherMethods(boolean toOperators) {
    return Stream.concat(
            TOOLS.stream(),
            toOperators ? StdioAuditMethods.ALL.stream() : Stream.<Described>empty())
        .toList();
  }

  private static FrameLoop.Backend backend(
      JoinedNode node, BuiltInMethods builtInMethods, Optional<String> operator) {
    return new FrameLoop.Backend(
        node.gateway()::serve,
        builtInMethods,
        (dialect, failure) ->
            node.gateway()
                .failed(
                    dialect,
                    failure,
                    Transport.FRAMES,
                    new Caller(List.of(), true, CallerConnection.UNOBSERVED),
                    null,
                    null),
        refusals(node.gateway()),
        operator.map(shown -> message -> node.answerOperator(shown, message)),
        node::limits);
  }

  private static FrameLoop.Refusals refusals(Gateway gateway) {
    return new FrameLoop.Refusals() {
      @Override
      public CompletableFuture<Reply> recorded(IncomingMessage incomingMessage, Fault fault) {
        return gateway.refused(Dialect.DAEMON, incomingMessage, fault);
      }

      @Override
      public Reply overload(@Nullable String requestId) {
        return gateway.overload(Dialect.DAEMON, Transport.FRAMES, requestId);
      }

      @Override
      public Reply unrecorded(IncomingMessage incomingMessage, Fault fault) {
        return gateway.unrecorded(Dialect.DAEMON, incomingMessage, fault);
      }
    };
  }

  private int refuse(DaemonProcess daemonProcess, String sentence) {
    daemonProcess.skipShutdown();
    return refuse(sentence);
  }

  private int refuse(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }
}
