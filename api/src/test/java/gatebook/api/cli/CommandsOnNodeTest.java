package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.replay.ParkedCommand;
import gatebook.api.cli.replay.ProjectionsCommand;
import gatebook.api.cli.replay.ReplayCommand;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied.GovernanceRuleDenied;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands' output for the results of a real node. */
@Timeout(300)
final class CommandsOnNodeTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");

  @TempDir private Path data;

  private OperatorTestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new OperatorTestNode(data);
    node.append(received(), denied(), translated());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void denialsAreCounted() {
    assertThat(run(new DenialsCommand()))
        .isEqualTo(
            new CommandRun(
                0,
                """
                gate        count  lastAt                lastCallId
                visibility  0      -                     -
                governance  1      2026-01-02T03:04:05Z  0192aaaa-0000-7000-8000-00000000abcd
                policy      0      -                     -
                approval    0      -                     -

                total 1
                """,
                ""));
    assertThat(run(new DenialsCommand(), "--by", "tool,code", "--since", "2026-01-01T00:00:00Z"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                tool  dialect  code    count  lastAt                lastCallId
                rm    mcp      -32014  1      2026-01-02T03:04:05Z  0192aaaa-0000-7000-8000-00000000abcd

                total 1
                """,
                ""));
    assertThat(run(new DenialsCommand(), "--as-of", "2026-01-01T00:00:00Z").out())
        .endsWith("total 0\n");
  }

  @Test
  void errorsAreGrouped() {
    CommandRun commandRun =
        run(
            new ErrorsCommand(),
            "--since=2026-01-02T00:00:00Z",
            "--until=2026-01-03T00:00:00Z",
            "--limit=10");

    assertThat(commandRun.out().lines().skip(1))
        .containsExactly(
            "unclear  1      ···█····················  mcp      -32014  GovernanceRuleDenied"
                + "  governance  rm    2026-01-02T03:04:05Z  2026-01-02T03:04:05Z "
                + " 0192aaaa-0000-7000-8000-00000000abcd",
            "",
            "from 2026-01-02T00:00:00Z until 2026-01-03T00:00:00Z, 1 h to each mark");
    assertThat(commandRun.code()).isZero();
  }

  @Test
  void caseFileIsWrittenAndChecked() throws Exception {
    Path file = data.resolve("case.zip");
    CommandRun written = run(new ProveCommand(), CALL.toString(), "-o", file.toString());
    assertThat(written.out()).contains("3 events, ", "about      call:" + CALL);
    assertThat(written.code()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    CommandRun accepted = checked(file, key());
    assertThat(accepted.out())
        .startsWith("accepted   as signed by " + node.journal().verifier().label())
        .contains("GateDenied", "governance: deny", "GovernanceRuleDenied", "told: {")
        .contains("not shown  rules ")
        .endsWith("It does not prove that there are no other events.\n");
    assertThat(accepted.code()).isZero();
    assertThat(checked(file, key(), "--json").out()).contains("\"accepted\" : true");

    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    CommandRun refused = checked(Files.write(data.resolve("edited.zip"), bytes), key());
    assertThat(refused.err()).startsWith("the case file is refused: ");
    assertThat(refused.code()).isEqualTo(1);
  }

  @Test
  void caseFileIsWrittenWholeOrNotAtAll() throws Exception {
    Path folder = Files.createDirectory(data.resolve("cases"));
    Path file = Files.writeString(folder.resolve("there.zip"), "older");
    CommandRun replaced = run(new ProveCommand(), CALL.toString(), "-o", file.toString());
    assertThat(replaced.code()).isZero();
    assertThat(checked(file, key()).code()).isZero();

    assertThat(proved(folder.toString()))
        .isEqualTo(unwritten(folder, "it is there and no regular file"));
    Path nowhere = folder.resolve("no/case.zip");
    assertThat(proved(nowhere.toString()))
        .isEqualTo(unwritten(nowhere, "no such file or directory"));
    Path below = file.resolve("case.zip");
    assertThat(proved(below.toString()).err())
        .startsWith("cannot write the case file " + below)
        .contains("not a directory");
    assertThat(proved("-").code()).isEqualTo(2);
    assertThat(proved("-").err())
        .startsWith("a case file goes to a file, not to standard output: name one\n");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  private CommandRun proved(String output) {
    return run(new ProveCommand(), CALL.toString(), "-o", output);
  }

  private static CommandRun unwritten(Path file, String why) {
    return new CommandRun(1, "", "cannot write the case file %s: %s\n".formatted(file, why));
  }

  @Test
  void checkingACaseFileTakesAFileAndAKey() throws Exception {
    Path file = Files.write(data.resolve("case.zip"), new byte[11]);

    assertThat(checked(file, key()).code()).isEqualTo(1);
    assertThat(checked(file, "no key").code()).isEqualTo(2);
    assertThat(checked(file, key(), "--all").code()).isEqualTo(2);
    assertThat(checked(file, key(), "--case-bytes-max", "11").code()).isEqualTo(1);
    assertThat(checked(file, key(), "--case-bytes-max", "10").code()).isEqualTo(2);
    assertThat(checked(file, key(), "--case-bytes-max", "0").code()).isEqualTo(2);
    assertThat(checked(file, key(), "--case-bytes-max", "1073741824").code()).isEqualTo(1);
    assertThat(checked(file, key(), "--case-bytes-max", "1073741825").code()).isEqualTo(2);
    assertThat(checked(Path.of("/dev/zero"), key(), "--case-bytes-max", "4096").code())
        .isEqualTo(2);
    assertThat(checked(data, key()).code()).isEqualTo(2);
    assertThat(checked(data.resolve("nothing.zip"), key()).err())
        .startsWith(
            "cannot read the case file %s: no such file or directory"
                .formatted(data.resolve("nothing.zip")));
    assertThat(CommandRun.of(new VerifyCommand(), List.of(), "--case", file.toString()).code())
        .isEqualTo(2);
    assertThat(run(new ProveCommand(), "no-such-call", "-o", file.toString()).code()).isEqualTo(1);
    assertThat(run(new ProveCommand(), CALL.toString()).code()).isEqualTo(2);
  }

  private String key() {
    return node.journal().verifier().text();
  }

  private static CommandRun checked(Path file, String key, String... options) {
    return CommandRun.of(
        new VerifyCommand(), List.of("--case", file.toString(), "--key", key), options);
  }

  @Test
  void forgettingSaysWhatWasErased() {
    assertThat(run(new ForgetCommand(), "--principal", "nobody", "--reason", "asked"))
        .isEqualTo(new CommandRun(0, "nothing to erase: there are no keys of nobody\n", ""));
    assertThat(run(new ForgetCommand(), "--principal", "nobody", "--dry-run").out())
        .startsWith("0 keys of 0 days, 0 calls would be erased");
    assertThat(run(new ForgetCommand(), "--containing", "no such text", "--dry-run"))
        .isEqualTo(new CommandRun(0, "no content has this text\n", ""));
    for (List<String> wrong :
        List.of(
            List.of("--reason", "asked"),
            List.of("--principal", "joe"),
            List.of("--principal", "joe", "--containing", "a", "--dry-run"),
            List.of("--containing", "a"),
            List.of("--principal", "joe", "--reason", "asked", "--since", "yesterday"))) {
      assertThat(run(new ForgetCommand(), wrong.toArray(String[]::new)).code()).isEqualTo(2);
    }
  }

  @Test
  void aViewIsRebuilt() {
    assertThat(run(new ReplayCommand(), "--projection", "denials"))
        .satisfies(
            commandRun -> assertThat(commandRun.code()).isZero(),
            commandRun ->
                assertThat(commandRun.out()).startsWith("the rebuild of denials has ended"),
            commandRun -> assertThat(commandRun.err()).startsWith("denials ["));
    assertThat(run(new ReplayCommand(), "--projection", "nothing").err())
        .startsWith("projection must be ");
    assertThat(run(new ReplayCommand(), "--projection", "denials", "--cancel").out())
        .isEqualTo("nothing to cancel: no rebuild of denials is running\n");
    assertThat(run(new ProjectionsCommand()).out()).contains("\ndenials ").contains("\nfaults ");
    assertThat(run(new ParkedCommand())).isEqualTo(new CommandRun(0, "nothing is parked\n", ""));
    assertThat(run(new ParkedCommand(), "--projection", "denials", "--retry", "1"))
        .isEqualTo(new CommandRun(1, "event 1 of denials is not parked\n", ""));
  }

  private CommandRun run(Object command, String... arguments) {
    return CommandRun.of(command, List.of("--data", data.toString()), arguments);
  }

  private static CallReceived received() {
    return ReceivedCall.of(CALL, OperatorTestNode.AT).to("demo", "rm").event();
  }

  private static GateDenied denied() {
    return new GateDenied(
        CALL,
        "rules",
        "rm",
        "alice",
        List.of(
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 3, "rm*", 7)));
  }

  private static ErrorTranslated translated() {
    return new ErrorTranslated(
        CALL,
        "rm",
        new GovernanceRuleDenied("rm", "rm*", false),
        new ErrorResponse(Dialect.MCP, -32014, "denied", JsonValue.parse("{}"), 200),
        0,
        null,
        3);
  }
}
