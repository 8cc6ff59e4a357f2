package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.operator.AskedNode;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallReceived;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.Principal;
import gatebook.events.call.Transport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

  private AskedNode node;

  @BeforeEach
  void start() throws Exception {
    node = new AskedNode(data);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void nothingWaits() {
    assertThat(run(new ApprovalsCommand()))
        .isEqualTo(new Ended(0, "nothing waits" + System.lineSeparator(), ""));
  }

  @Test
  void whatWaitsIsATableWhoseColumnsAreAligned() {
    node.append(received(CALL, "pay"), asked(CALL));
    node.append(received(LATER, "transfer_funds\u001b[2J"), asked(LATER));

    assertThat(run(new ApprovalsCommand()).out().lines())
        .containsExactly(
            "callId                                tool                principal  workflow"
                + "  requestedAt           deadline",
            "0192aaaa-0000-7000-8000-00000000abcd  pay                 alice      ops     "
                + "  2026-01-02T03:04:05Z  2126-01-02T03:04:05Z",
            "0192bbbb-0000-7000-8000-00000000abcd  transfer_funds?[2J  alice      ops     "
                + "  2026-01-02T03:04:05Z  2126-01-02T03:04:05Z");
  }

  @Test
  void whatWaitsIsOneDocumentForPrograms() throws Exception {
    node.append(received(CALL, "pay"), asked(CALL));

    Ended ended = run(new ApprovalsCommand(), "--json");

    assertThat(new JsonMapper().readTree(ended.out()).path("approvals").findValuesAsText("callId"))
        .containsExactly(CALL.toString());
    assertThat(ended.code()).isEqualTo(0);
  }

  @Test
  void theFirstAnswerCountsAndTheSecondIsToldSo() {
    node.append(received(CALL, "pay"), asked(CALL));
    String id = CALL.toString().replace("-", "");

    assertThat(run(new ApproveCommand(), id, "--reason", "reviewed"))
        .isEqualTo(new Ended(0, "granted: the call %s goes on%n".formatted(CALL), ""));
    Ended second = run(new RejectCommand(), id);
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.out()).startsWith("already granted by operator at ");
    assertThat(run(new RejectCommand(), id, "--json").code()).isEqualTo(1);
  }

  @Test
  void aNoCounts() {
    node.append(received(CALL, "pay"), asked(CALL));

    assertThat(run(new RejectCommand(), CALL.toString()))
        .isEqualTo(new Ended(0, "rejected: the caller of %s is told%n".formatted(CALL), ""));
  }

  @Test
  void whatTheServerWillNotDoIsTold() {
    assertThat(run(new ApproveCommand(), CALL.toString()))
        .isEqualTo(
            new Ended(
                1,
                "",
                "nobody was asked about this call: approvals.list shows what waits%n".formatted()));
    assertThat(run(new ApproveCommand(), "order-7").code()).isEqualTo(1);
    assertThat(run(new ApprovalsCommand(), "--token", "another").err())
        .startsWith("the server at http://127.0.0.1:")
        .contains("does not take this token");
  }

  @Test
  void theServerIsFoundByItsUrlToo() {
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
  void calledWronglyItSaysSo() {
    assertThat(run(new ApproveCommand()).code()).isEqualTo(2);
    assertThat(run(new ApprovalsCommand(), "--no-such").code()).isEqualTo(2);
  }

  /** On this node's data directory, unless the arguments name another. */
  private Ended run(Object command, String... arguments) {
    return Ended.of(
        command,
        List.of(arguments).contains("--data") ? List.of() : List.of("--data", data.toString()),
        arguments);
  }

  private static CallReceived received(UUID call, String tool) {
    return new CallReceived(
        call,
        "order-7",
        null,
        Dialect.MCP,
        null,
        Transport.HTTP,
        ASKED_AT,
        "tools/call",
        "1",
        new Principal("alice", List.of(), Map.of()),
        "bank",
        tool,
        null,
        null,
        null,
        "rules");
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
