package gatebook.api.cli.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.GivenFile;
import gatebook.api.cli.ServerOptions;
import gatebook.api.cli.ServerQuery;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PeriodOptions;
import gatebook.api.cli.option.VerifierKeyOption;
import gatebook.api.cli.text.ProgressOutput;
import gatebook.api.data.JournalPlace;
import gatebook.api.operator.client.OperatorClient.Answer;
import gatebook.api.operator.methods.WhatIfMethods;
import gatebook.api.operator.whatif.SignedReport;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook whatif}: has a server decide recorded calls again by a candidate for
 * the rules, or checks the report of an earlier one.
 */
@Command(
    name = "whatif",
    description = {
      "Decides recorded calls again by a candidate for the rules, and reports what would change.",
      "The server decides beside its calls; no source is asked and nothing takes effect. The"
          + " candidate and the policies that it names are read here; variables in it get their"
          + " values at the server. Needs the role arguments.",
      "With --verify: checks the signature of a report, without any server."
    },
    footer = {
      "",
      "PATTERN is CHANGE[:GATE[:TARGET]]: CHANGE is * or newly-denied, newly-allowed, newly-asked,"
          + " no-longer-asked, refused-otherwise or rerouted; GATE is * or visibility, governance,"
          + " policy or approval; TARGET is a glob as in the rules. What is left out is any.",
      "",
      "Exit code: 0 nothing changes beyond --allow; the report is as it was signed.",
      "           1 something changes, or the rules of then decide otherwise, or there is no"
          + " report.",
      "           2 usage.",
      "Example: gatebook whatif --config candidate.yaml --since 7d --allow"
          + " 'newly-denied:governance:delete_*'",
      "Example: gatebook whatif --verify report.txt --key checkpoint.vkey"
    })
public final class WhatIfCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String REPORT_BYTES_MAX = "--report-bytes-max";

  /** Short, so that a short what-if ends the command soon. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  private final Map<String, String> environment;
  private final Function<CommandSpec, ProgressOutput> progressOutput;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server;
  @Mixin private final JsonOption jsonOption = new JsonOption();
  @Mixin private final VerifierKeyOption keyOption = new VerifierKeyOption();
  @Mixin private final PeriodOptions periodOptions = new PeriodOptions();

  @Option(names = "--config", paramLabel = "FILE", description = "The candidate for the rules.")
  private @Nullable Path config;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "Decides so many calls: those whose ids have the lowest SHA-256.")
  private @Nullable Integer sample;

  @Option(
      names = "--allow",
      paramLabel = "PATTERN",
      converter = ChangePattern.Converter.class,
      description = "Changes that are meant; may be repeated.")
  private List<ChangePattern> allowed = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "REPORT",
      description = "Writes the signed report to this file.")
  private @Nullable Path output;

  @Option(names = "--verify", paramLabel = "REPORT", description = "Checks a signed report.")
  private @Nullable Path report;

  @Option(
      names = REPORT_BYTES_MAX,
      paramLabel = "BYTES",
      defaultValue = "" + (16 << 20),
      description = "The largest report that is checked (${DEFAULT-VALUE}).")
  private long reportBytesMax;

  public WhatIfCommand() {
    this(System.getenv(), spec -> ProgressOutput.onStderr(spec.commandLine().getErr()));
  }

  WhatIfCommand(
      Map<String, String> environment, Function<CommandSpec, ProgressOutput> progressOutput) {
    this.environment = environment;
    this.progressOutput = progressOutput;
    this.server = new ServerOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    if (config != null && report == null) {
      return run(serverQuery, config);
    }
    if (report != null && config == null) {
      return verify(serverQuery, report);
    }
    throw new ParameterException(
        spec.commandLine(), "give either --config with a candidate, or --verify with a report");
  }

  private int run(ServerQuery serverQuery, Path candidate) throws InterruptedException {
    ObjectNode params = ServerQuery.params();
    try {
      CandidateFiles.addTo(params, candidate, environment);
    } catch (IOException e) {
      return serverQuery.failed("cannot read %s: %s".formatted(candidate, e.getMessage()));
    }
    periodOptions.addTo(params);
    if (sample != null) {
      params.put("sample", sample);
    }
    return switch (serverQuery.call(WhatIfMethods.START, params)) {
      case Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case Answer.Result(var status) -> follow(serverQuery, status.path("startedAt").asText());
    };
  }

  private int follow(ServerQuery serverQuery, String startedAt) throws InterruptedException {
    ProgressOutput progress = progressOutput.apply(spec);
    Duration pause =
        Stream.of(FIRST_PAUSE, progress.pause()).min(Duration::compareTo).orElseThrow();
    boolean isShown = false;
    while (true) {
      Thread.sleep(pause);
      pause = progress.pause();
      switch (serverQuery.call(WhatIfMethods.STATUS, ServerQuery.params())) {
        case Answer.Failed(var sentence) -> {
          return serverQuery.failed(sentence + "; the what-if may continue without this command");
        }
        case Answer.Result(var status) -> {
          if (!status.path("startedAt").asText().equals(startedAt)) {
            return serverQuery.failed(
                "the server does not do this what-if any longer: start it again");
          }
          if (!status.path("state").asText().equals("running")) {
            if (isShown) {
              progress.endLine();
            }
            return ended(serverQuery, status);
          }
          progress.show(
              String.format(
                  Locale.ROOT,
                  "what-if: position %,d of %,d, %,d calls",
                  status.path("position").asLong(),
                  status.path("upTo").asLong(),
                  status.path("decided").asLong()));
          isShown = true;
        }
      }
    }
  }

  private int ended(ServerQuery serverQuery, JsonNode status) {
    if (!status.path("state").asText().equals("done")) {
      return serverQuery.failed(status.path("error").asText());
    }
    if (output != null) {
      Optional<String> unwritten = write(status.path("note"), output);
      if (unwritten.isPresent()) {
        return serverQuery.failed(unwritten.get());
      }
    }
    JsonNode shown = status.path("report");
    serverQuery.show(shown, WhatIfText::lines);
    return isAllowed(shown) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Writes the signed report; the sentence says why not. */
  private static Optional<String> write(JsonNode note, Path file) {
    if (!note.isTextual()) {
      return Optional.of("the report is not signed: the server signs nothing now, see its log");
    }
    try {
      Files.writeString(file, note.textValue());
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot write %s: %s".formatted(file, e.getMessage()));
    }
  }

  /** Groups that are not shown count as allowed only where all calls of their change are. */
  private boolean isAllowed(JsonNode shown) {
    boolean groups =
        shown
            .path("groups")
            .valueStream()
            .allMatch(group -> allowed.stream().anyMatch(it -> it.allows(group)));
    boolean others =
        shown
            .path("leftOut")
            .path("calls")
            .propertyStream()
            .allMatch(it -> allowed.stream().anyMatch(pattern -> pattern.allowsAll(it.getKey())));
    return groups && others && shown.path("selfCheck").path("faults").asLong() == 0;
  }

  private int verify(ServerQuery serverQuery, Path file) {
    byte[] note =
        GivenFile.read(spec.commandLine(), "the report", file, reportBytesMax, REPORT_BYTES_MAX);
    JournalPlace place = new JournalPlace(server.directory(), Optional.empty());
    return switch (keyOption.key(place, environment, VerifierKeyOption.NAME_ONE)) {
      case LoadedKey.Refused<VerifierKey>(var why) -> serverQuery.failed(why);
      case LoadedKey.Key<VerifierKey>(var trusted) -> verify(serverQuery, note, trusted);
    };
  }

  private int verify(ServerQuery serverQuery, byte[] note, VerifierKey trusted) {
    return switch (SignedReport.check(note, List.of(trusted))) {
      case SignedReport.Checked.Invalid(var sentence) -> serverQuery.failed(sentence);
      case SignedReport.Checked.Valid(var valid, var by) -> {
        serverQuery.show(
            JSON.valueToTree(valid),
            json ->
                Stream.concat(
                        Stream.of("signed by  " + by.label(), "made at    " + valid.madeAt()),
                        WhatIfText.lines(json).stream())
                    .toList());
        yield ExitCode.OK;
      }
    };
  }
}
