package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.daemon.BuiltInMethods.Described;
import gatebook.api.operator.OperatorRpc;
import org.junit.jupiter.api.Test;

final class StdioAuditMethodsTest {

  @Test
  void everyMethodExistsInTheOperatorRpc() {
    assertThat(StdioAuditMethods.ALL)
        .extracting(Described::name)
        .allSatisfy(name ->
            assertThat(OperatorRpc.class.getResource("methods/" + name + ".json")).isNotNull());
  }

  @Test
  void noMethodHasEffects() {
    assertThat(StdioAuditMethods.include("audit.replay")).isFalse();
    assertThat(StdioAuditMethods.include("approvals.approve")).isFalse();
    assertThat(StdioAuditMethods.include("audit.denials")).isTrue();
    assertThat(StdioAuditMethods.include("audit.trees")).isTrue();
    assertThat(StdioAuditMethods.include("node.status")).isTrue();
  }
}
