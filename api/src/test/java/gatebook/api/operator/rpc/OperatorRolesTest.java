package gatebook.api.operator.rpc;

import static gatebook.api.operator.rpc.OperatorApprovalsTest.call;
import static gatebook.api.operator.rpc.OperatorApprovalsTest.code;
import static gatebook.api.operator.rpc.OperatorApprovalsTest.operator;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.operator.rpc.OperatorApprovalsTest.OneWorkflowRules;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators may ask of one node, by their roles and by its limits. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OperatorRolesTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");

  private OperatorTestNode node;

  @BeforeAll
  void start(@TempDir Path data) throws Exception {
    node =
        new OperatorTestNode(
            data,
            () ->
                List.of(
                    operator("vera", Role.VIEW),
                    operator("ada", Role.APPROVE),
                    operator("root", Role.ADMIN)),
            Optional.of(new OneWorkflowRules()));
  }

  @BeforeEach
  void forget() {
    node.forget();
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @ParameterizedTest
  @CsvSource({
    "vera, audit.lookup,        true",
    "vera, audit.trees,         true",
    "vera, audit.verify,        true",
    "vera, audit.projections,   true",
    "vera, node.status,         true",
    "vera, quotas.list,         true",
    "vera, approvals.list,      true",
    "vera, approvals.approve,   false",
    "vera, approvals.reject,    false",
    "vera, rules.show,          false",
    "ada,  approvals.list,      true",
    "ada,  approvals.approve,   true",
    "ada,  approvals.reject,    true",
    "ada,  audit.lookup,        false",
    "ada,  node.status,         false",
    "ada,  quotas.list,         false",
    "ada,  rules.check,         false",
    "vera, rules.history,       false",
    "vera, rules.text,          false",
    "vera, rules.excerpt,       false",
    "root, rules.history,       true",
    "root, rules.show,          true",
    "root, rules.check,         true",
    "root, approvals.approve,   false",
    "root, audit.lookup,        false",
    "root, rpc.discover,        true",
    "ada,  rpc.discover,        true",
  })
  void eachMethodRequiresARole(String who, String method, boolean allowed) throws Exception {
    String params =
        switch (method) {
          case "audit.lookup" -> "{\"id\":\"a\"}";
          case "approvals.approve", "approvals.reject" -> "{\"callId\":\"%s\"}".formatted(CALL);
          default -> "{}";
        };

    int code = code(node.callAs(who, call(method, params)));

    assertThat(code == 403).isEqualTo(!allowed);
    assertThat(node.events())
        .containsExactly(
            new OperatorActed(
                who,
                method,
                JsonValue.parse(params),
                params.contains("callId") && allowed ? CALL : null,
                allowed));
  }

  @ParameterizedTest
  @CsvSource({"0, -32602", "1, 0", "1000, 0", "1001, -32602", "1.5, -32602"})
  void aPageHasItsLimits(String limit, int code) throws Exception {
    assertThat(code(node.call(call("approvals.list", "{\"limit\":" + limit + "}"))))
        .isEqualTo(code);
  }
}
