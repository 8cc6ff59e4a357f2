package gatebook.api.node;

import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.NodeOptions;
import gatebook.api.cli.option.TlsOptions;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.TrustedProxies;
import gatebook.api.log.LogLevel;
import gatebook.api.log.LogOptions;
import gatebook.api.log.LogSink;
import gatebook.api.log.Terminal;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gatebook serve}: runs a node until the process is told to stop. */
@Command(
    name = "serve",
    description = "Answers callers at one port, probes and operators at another, until stopped.",
    footer = {"", "Example: gatebook serve --port 7467 --data ./gatebook-data"})
public final class ServeCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli injects the command's own

  @Mixin private final NodeOptions place = new NodeOptions(System.getenv());
  @Mixin private final LogOptions logOptions = new LogOptions(System.getenv());
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final TlsOptions tlsOptions = new TlsOptions(System.getenv());

  @Option(
      names = "--host",
      paramLabel = "H",
      description = "Address for callers (${DEFAULT-VALUE}).",
      defaultValue = "127.0.0.1")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port for callers, 0 for any free one (${DEFAULT-VALUE}).",
      defaultValue = "7467",
      converter = PortArgument.class)
  private int port;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Another name by which clients reach this host; may be repeated.")
  private Set<String> names = Set.of();

  @Option(
      names = "--behind-proxy",
      paramLabel = "ADDRESSES",
      split = ",",
      description =
          "The proxies that speak TLS for this node, as addresses or networks: they alone are"
              + " believed what Forwarded and X-Forwarded-Proto say.")
  private List<String> proxies = List.of();

  @Option(
      names = "--admin-host",
      paramLabel = "H",
      description = "Address for probes and operators (${DEFAULT-VALUE}).",
      defaultValue = "127.0.0.1")
  private String adminHost = "";

  @Option(
      names = "--admin-port",
      paramLabel = "PORT",
      description = "Port for probes and operators, 0 for any free one (${DEFAULT-VALUE}).",
      defaultValue = "7469",
      converter = PortArgument.class)
  private int adminPort;

  @Override
  public Integer call() {
    tlsOptions
        .mistake()
        .ifPresent(sentence -> {
          throw new ParameterException(spec.commandLine(), sentence);
        });
    ServeSettings settings = settings();
    return switch (logOptions.open(LogLevel.INFO)) {
      case LogSink.Opening.Refused(var sentence) -> refuse(sentence);
      case LogSink.Opening.Opened(var sink) -> run(settings, sink);
    };
  }

  private int run(ServeSettings settings, LogSink sink) {
    try (LogSink log = sink) {
      return switch (Node.start(settings, JournalWiring::open)) {
        case Node.Start.Refused(var sentence) -> refuse(sentence);
        case Node.Start.Serving(var node) -> serve(node, log, settings);
      };
    }
  }

  private ServeSettings settings() {
    return new ServeSettings(
        place.data(),
        place.config(),
        new ListenAddress(host, port, names, tlsOptions.mode()),
        new ListenAddress(adminHost, adminPort, names, tlsOptions.mode()),
        tlsOptions.files(),
        proxies(),
        databaseOption.url());
  }

  private TrustedProxies proxies() {
    return TrustedProxies.of(proxies)
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                "--behind-proxy takes addresses and networks, as in 10.0.0.7,fd00::/8"));
  }

  private int refuse(String sentence) {
    spec.commandLine().getErr().println(sentence);
    return ExitCode.SOFTWARE;
  }

  /** The hook is for what ends the virtual machine otherwise; then it sets the exit code. */
  private int serve(Node node, LogSink log, ServeSettings settings) {
    CompletableFuture<Boolean> drains = new CompletableFuture<>();
    CompletableFuture<Void> toldAgain = new CompletableFuture<>();
    CompletableFuture<Integer> code = new CompletableFuture<>();
    StopSignals.handle(signal -> {
      boolean isOfAPerson = signal.equals("SIGINT");
      boolean _ = drains.complete(!isOfAPerson) || toldAgain.complete(null);
    });
    Thread hook =
        new Thread(
            () -> {
              drains.complete(true);
              Runtime.getRuntime().halt(code.join());
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    printStart(node, settings);
    int ended = stop(node, drains.join(), toldAgain);
    log.close();
    code.complete(ended);
    return ended;
  }

  /** At a terminal that shows both streams the addresses are printed once, not logged too. */
  private void printStart(Node node, ServeSettings settings) {
    String callers = node.at(Port.CALLERS).url();
    String admin = node.at(Port.ADMIN).url();
    boolean isTerminal = Terminal.STDOUT.isTerminal();
    if (!isTerminal || !Terminal.STDERR.isTerminal()) {
      LOG.atInfo().addKeyValue("callers", callers).addKeyValue("admin", admin).log("serving");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        isTerminal
            ? StartBanner.greeting(callers, admin, settings.data(), settings.rules())
            : StartBanner.addresses(callers, admin));
    out.print(StartBanner.missingKeys(node.missingKeys()));
    if (settings.rules().isEmpty()) {
      out.print(StartBanner.text(callers, settings.data()));
    }
    out.flush();
  }

  private static int stop(Node node, boolean drains, CompletableFuture<Void> hurry) {
    try {
      NodeStop.EndedCalls calls = node.stop(drains, hurry);
      LOG.atInfo()
          .addKeyValue("calls_ended", calls.ended())
          .addKeyValue("calls_closed", calls.closed())
          .log("stopped");
      return ExitCode.OK;
    } catch (RuntimeException e) {
      LOG.error("stopping failed", e);
      return ExitCode.SOFTWARE;
    }
  }
}
