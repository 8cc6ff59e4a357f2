package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class RulesCommandTest {

  private static final String LEAST =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: ${ACTION}}}
      """;

  @TempDir private Path directory;
  private Path file = Path.of("");

  record Outcome(int code, String out) {}

  @BeforeEach
  void name() {
    file = directory.resolve("rules.yaml");
  }

  @Test
  void aFileWithoutMistakesIsReported() throws IOException {
    Files.writeString(file, LEAST);

    assertThat(check()).isEqualTo(new Outcome(0, "%s: nothing is wrong\n".formatted(file)));
  }

  @Test
  void warningsAloneAreNoFailure() throws IOException {
    Files.writeString(file, LEAST + "telemetry: {}\n");

    assertThat(check())
        .isEqualTo(
            new Outcome(
                0,
                """
                %s:4:12: warning: 'telemetry' has no effect here: metrics are at /metrics of the admin port
                """
                    .formatted(file)));
  }

  @Test
  void policiesAreComparedWithToolSchemas() throws IOException {
    Files.writeString(
        directory.resolve("p.cedar"),
        """
        permit (principal, action, resource == ThoughtGate::ToolCall::"transfer")
        when { resource.arguments has amuont && resource.arguments.amuont <= 100 };
        """);
    Files.writeString(file, LEAST + "cedar: {policies: [p.cedar]}\n");

    assertThat(check())
        .isEqualTo(
            new Outcome(
                0,
                """
                p.cedar:2:8: warning: `resource.arguments.amuont` is declared by no tool that the policy applies to: `transfer` of `demo`
                p.cedar:2:41: warning: `resource.arguments.amuont` is declared by no tool that the policy applies to: `transfer` of `demo`
                """));
  }

  @Test
  void mistakesOfEverySectionHaveTheirPlaces() throws IOException {
    Files.writeString(
        file,
        LEAST
            + """
            limits: {depth_max: 0}
            journal: {queue_events_max: 0}
            telemetry: {}
            """);

    assertThat(check())
        .isEqualTo(
            new Outcome(
                1,
                """
                %1$s:4:21: 'depth_max' must be a whole number from 8 to 256
                %1$s:5:29: 'journal.queue_events_max' must be from 1 to 2147483647, not 0
                %1$s:6:12: warning: 'telemetry' has no effect here: metrics are at /metrics of the admin port
                """
                    .formatted(file)));
  }

  @Test
  void invalidYamlIsReportedOnce() throws IOException {
    Files.writeString(file, "a: [");

    assertThat(check())
        .isEqualTo(
            new Outcome(
                1,
                "%s:1:5: this is no YAML: expected the node content, but found '<stream end>'\n"
                    .formatted(file)));
  }

  @Test
  void aMissingFileIsAMistake() {
    assertThat(check())
        .isEqualTo(
            new Outcome(
                1,
                "%s: the file cannot be read: check that it exists and is readable\n"
                    .formatted(file)));
  }

  @Test
  void jsonOutputIsOneDocument() throws IOException {
    Files.writeString(file, LEAST + "limits: {depth_max: 0}\n");

    assertThat(check("--json"))
        .isEqualTo(
            new Outcome(
                1,
                """
                {
                  "file" : "%1$s",
                  "ok" : false,
                  "mistakes" : [ {
                    "file" : "%1$s",
                    "line" : 4,
                    "column" : 21,
                    "message" : "'depth_max' must be a whole number from 8 to 256"
                  } ],
                  "warnings" : [ ]
                }
                """
                    .formatted(file)));
  }

  @Test
  void aMissingArgumentIsWrongUsage() {
    assertThat(new CommandLine(command()).execute("check")).isEqualTo(2);
    assertThat(new CommandLine(command()).execute()).isEqualTo(2);
  }

  private static RulesCommand command() {
    return new RulesCommand(Map.of("ACTION", "deny"));
  }

  private Outcome check(String... options) {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(command()).setOut(new PrintWriter(out));
    String[] arguments = new String[options.length + 2];
    arguments[0] = "check";
    arguments[1] = file.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return new Outcome(line.execute(arguments), out.toString());
  }
}
