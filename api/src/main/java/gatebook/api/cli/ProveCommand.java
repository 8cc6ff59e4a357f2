package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.PastedId;
import gatebook.api.cli.option.VerifierKeyOption;
import gatebook.api.cli.text.TextCells;
import gatebook.api.data.FileFailure;
import gatebook.api.operator.client.OperatorClient.Answer;
import gatebook.api.operator.methods.CaseMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code gatebook prove}: proves what was recorded of a call or a tree. */
@Command(
    name = "prove",
    description = {
      "Writes a case file: every event of a call, or of a tree and its calls, with its proof, for"
          + " people who have neither this node nor its journal.",
      "It has the keys that open these events when the operator has the role arguments, and the"
          + " rules that decided when it has the role admin. An erasure does not reach it.",
      "Check it with gatebook verify --case.",
      "With --from it writes a consistency proof: that a checkpoint of the journal goes on from an"
          + " older one, so that nothing before it was rewritten. It asks the server that holds the"
          + " journal, else it reads the journal in this process. Check it with gatebook verify"
          + " --consistency."
    },
    footer = {
      "",
      "Exit code: 0 the file is written, 1 it is not, 2 usage.",
      "Example: gatebook prove --from /vault/checkpoint -o proof",
      "Example: gatebook prove 0199c0de-0000-7000-8000-000000000000 -o case.zip"
    })
public final class ProveCommand implements Callable<Integer> {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final ServerOptions server;
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final VerifierKeyOption keyOption = new VerifierKeyOption();

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description =
          "Any id of one call: its own, or that of its correlation, trace, task or approval; or"
              + " the id of a tree or of one of its tasks.")
  private List<String> pasted = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The case file, a ZIP archive, or the proof; replaced when it is there.")
  private Path output = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "FILE|SIZE",
      description = {
        "Proves in the place of a case file that a checkpoint goes on from this one: a file with"
            + " its note, an anchor, or how many events it is over."
      })
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "The newer checkpoint, a file with its note or an anchor (else the newest).")
  private @Nullable Path to;

  public ProveCommand() {
    this(System.getenv());
  }

  ProveCommand(Map<String, String> environment) {
    this.environment = environment;
    this.server = new ServerOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    requireValidOptions();
    if (from != null) {
      return new ConsistencyProving(
              spec, server, databaseOption, keyOption, jsonOption, environment)
          .run(from, Optional.ofNullable(to), this::written);
    }
    ObjectNode params = ServerQuery.params().put("id", PastedId.in(pasted, spec));
    ServerQuery serverQuery = new ServerQuery(spec, server, jsonOption);
    Path file = output.toAbsolutePath().normalize();
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return unwritten(serverQuery, file, "it is there and no regular file");
    }
    return switch (serverQuery.call(CaseMethod.NAME, params)) {
      case Answer.Failed(var sentence) -> serverQuery.failed(sentence);
      case Answer.Result(var result) -> write(result.deepCopy(), serverQuery);
    };
  }

  private void requireValidOptions() {
    if ((from == null) == pasted.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give either an id, or a checkpoint with --from");
    }
    if (from == null && (to != null || databaseOption.url().isPresent() || keyOption.isGiven())) {
      throw new ParameterException(
          spec.commandLine(), "--to, --db and --key are about checkpoints: give one with --from");
    }
    if (output.toString().equals("-")) {
      throw new ParameterException(
          spec.commandLine(),
          "%s goes to a file, not to standard output: name one"
              .formatted(from == null ? "a case file" : "a proof"));
    }
  }

  private int write(ObjectNode result, ServerQuery serverQuery) {
    byte[] archive = Base64.getDecoder().decode(result.remove("file").asText());
    return written(archive, result, serverQuery, ProveCommand::lines);
  }

  private int unwritten(ServerQuery serverQuery, Path file, String why) {
    return serverQuery.failed(
        "cannot write the %s %s: %s".formatted(from == null ? "case file" : "proof", file, why));
  }

  private int written(
      byte[] content,
      ObjectNode result,
      ServerQuery serverQuery,
      Function<JsonNode, List<String>> lines) {
    Path file = output.toAbsolutePath().normalize();
    try {
      write(file, content);
    } catch (IOException e) {
      return unwritten(serverQuery, file, FileFailure.reason(e));
    }
    serverQuery.show(result.put("output", file.toString()), lines);
    return ExitCode.OK;
  }

  /** Only its owner may read it, since it may have keys. */
  private static void write(Path file, byte[] archive) throws IOException {
    Path folder = Optional.ofNullable(file.getParent()).orElse(file);
    Path draft = Files.createTempFile(folder, ".case", ".new");
    try {
      Files.write(draft, archive);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static List<String> lines(JsonNode result) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "case file  %s, %s bytes: %s events, %s keys"
            .formatted(
                TextCells.of(result, "output"),
                TextCells.of(result, "bytes"),
                TextCells.of(result, "events"),
                TextCells.of(result, "keys")));
    lines.add("signed by  " + TextCells.of(result, "key"));
    for (JsonNode subject : result.path("subjects")) {
      lines.add("about      " + TextCells.of(subject));
    }
    for (JsonNode redaction : result.path("notShown")) {
      lines.add(
          "not shown  %s of %s: %s"
              .formatted(
                  TextCells.of(redaction, "part"),
                  TextCells.of(redaction, "of"),
                  TextCells.of(redaction, "reason")));
    }
    return lines;
  }
}
