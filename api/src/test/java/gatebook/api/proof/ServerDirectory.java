package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A server directory, with rules and data. */
record ServerDirectory(Path directory) {
  private static final String POLICY =
      "permit(principal, action, resource) when { resource.arguments.amount < 100 };\n";

  static ServerDirectory withAllGates(Path directory, URI source) {
    ServerDirectory serverDirectory = withRules(directory, rules(source));
    try {
      Files.writeString(directory.resolve("payments.cedar"), POLICY);
      return serverDirectory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Rules with one source that exposes everything and forwards every call. */
  static ServerDirectory forwardingAll(Path directory, URI source) {
    return withRules(
        directory,
        """
        schema: 1
        sources:
          - {id: fixture, kind: mcp, url: "%s"}
        governance:
          defaults: {action: forward}
        """
            .formatted(source));
  }

  /** Adds a section to the configuration file. */
  void addSection(String yaml) {
    try {
      Files.writeString(directory.resolve("gatebook.yaml"), yaml + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ServerDirectory withRules(Path directory, String rules) {
    try {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("gatebook.yaml"), rules);
      return new ServerDirectory(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String rules(URI source) {
    return """
    schema: 1
    sources:
      - {id: stub, kind: mcp, url: "%s", expose: {mode: blocklist, tools: ["secret_*"]}}
    governance:
      defaults: {action: forward}
      rules:
        - {match: "delete_*", action: deny}
        - {match: "pay", action: policy, policy_id: payments}
        - {match: "deploy", action: approve, approval: ops}
    approval:
      ops: {timeout: 10m, blocking_timeout: 10m}
    cedar:
      policies: [payments.cedar]
    """
        .formatted(source);
  }

  Path data() {
    return directory.resolve("data");
  }

  /** The ids of the calls whose outcome was lost, from the log. */
  List<String> callsWithLostOutcome() {
    try (Stream<String> log = Files.lines(directory.resolve("err"))) {
      return log.filter(line -> line.contains("\"outcome-not-recorded\""))
          .map(line -> ServerProcess.json(line).get("call_id").asText())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void verify() {
    verify(data());
  }

  /** Runs {@code gatebook verify --data} on a journal that no process has open. */
  static void verify(Path data) {
    StringWriter output = new StringWriter();
    int code =
        new CommandLine(new VerifyCommand())
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(output))
            .execute("--data", data.toString());
    assertThat(code).as("verify: %s", output).isZero();
  }
}
