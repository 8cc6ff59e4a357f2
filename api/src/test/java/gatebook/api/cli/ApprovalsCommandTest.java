package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallReceived;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class ApprovalsCommandTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID LATER = UUID.fromString("0192bbbb-0000-7000-8000-00000000abcd");
  private static final Instant ASKED_AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant DISTANT = Instant.parse("2126-01-02T03:04:05Z");

  @TempDir private Path data;

  private OperatorTestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new OperatorTestNode(data);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void anEmptyListIsReported() {
    assertThat(run(new ApprovalsCommand()))
        .isEqualTo(new CommandRun(0, "no approvals are waiting" + System.lineSeparator(), ""));
  }

  @Test
  void waitingApprovalsAreAnAlignedTable() {
    node.append(received(CALL, "pay"), asked(CALL));
    node.append(received(LATER, "transfer_funds\u001b[2J"), asked(LATER));

    assertThat(run(new ApprovalsCommand()).out().lines())
        .containsExactly(
            "callId                                tool                       principal  workflow"
                + "  requestedAt           deadline",
            "0192aaaa-0000-7000-8000-00000000abcd  pay                        alice      ops     "
                + "  2026-01-02T03:04:05Z  2126-01-02T03:04:05Z",
            "0192bbbb-0000-7000-8000-00000000abcd  transfer_funds⟨U+001B⟩[2J  alice      ops     "
                + "  2026-01-02T03:04:05Z  2126-01-02T03:04:05Z");
  }

  @Test
  void jsonOutputIsOneDocument() throws Exception {
    node.append(received(CALL, "pay"), asked(CALL));

    CommandRun commandRun = run(new ApprovalsCommand(), "--json");

    assertThat(
            new JsonMapper()
                .readTree(commandRun.out())
                .path("approvals")
                .findValuesAsText("callId"))
        .containsExactly(CALL.toString());
    assertThat(commandRun.code()).isEqualTo(0);
  }

  @Test
  void theFirstDecisionCountsAndTheSecondLearnsOfIt() {
    node.append(received(CALL, "pay"), asked(CALL));
    String id = CALL.toString().replace("-", "");

    assertThat(run(new ApproveCommand(), id, "--reason", "reviewed"))
        .isEqualTo(new CommandRun(0, "granted: the call %s continues%n".formatted(CALL), ""));
    CommandRun second = run(new RejectCommand(), id);
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.out()).startsWith("already granted by operator at ");
    assertThat(run(new RejectCommand(), id, "--json").code()).isEqualTo(1);
  }

  @Test
  void aRejectionCounts() {
    node.append(received(CALL, "pay"), asked(CALL));

    assertThat(run(new RejectCommand(), CALL.toString()))
        .isEqualTo(
            new CommandRun(0, "rejected: the caller of %s gets an error%n".formatted(CALL), ""));
  }

  @Test
  void errorsOfTheServerArePrinted() {
    assertThat(run(new ApproveCommand(), CALL.toString()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "no approval was requested for this call: approvals.list shows what waits%n"
                    .formatted()));
    assertThat(run(new ApproveCommand(), "order-7").code()).isEqualTo(1);
    assertThat(run(new ApprovalsCommand(), "--token", "another").err())
        .startsWith("the server at http://127.0.0.1:")
        .contains("does not accept this token");
  }

  @Test
  void theServerIsFoundByItsUrl() {
    assertThat(
            run(
                    new ApprovalsCommand(),
                    "--url",
                    node.url(Port.ADMIN),
                    "--token",
                    node.token(),
                    "--data",
                    data.resolve("nowhere").toString())
                .code())
        .isEqualTo(0);
    assertThat(run(new ApprovalsCommand(), "--url", "nonsense").code()).isEqualTo(2);
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(run(new ApproveCommand()).code()).isEqualTo(2);
    assertThat(run(new ApprovalsCommand(), "--no-such").code()).isEqualTo(2);
  }

  /** Runs a command on this node's data directory, unless the arguments name another. */
  private CommandRun run(Object command, String... arguments) {
    return CommandRun.of(
        command,
        List.of(arguments).contains("--data") ? List.of() : List.of("--data", data.toString()),
        arguments);
  }

  private static CallReceived received(UUID call, String tool) {
    return ReceivedCall.of(call, ASKED_AT).to("bank", tool).event();
  }

  private static ApprovalRequested asked(UUID call) {
    return new ApprovalRequested(
        call,
        call,
        null,
        "ops",
        "operator",
        new Digest("k1", Bytes.of(new byte[32])),
        ASKED_AT,
        DISTANT,
        null,
        OnTimeout.DENY,
        "rules",
        List.of());
  }
}
