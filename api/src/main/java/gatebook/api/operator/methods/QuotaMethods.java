package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.storage.JournalUnreadable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The method {@code quotas.list}: which quotas there are, and who uses them up. */
public final class QuotaMethods {

  /** The params of {@code quotas.list}. */
  public static final DeclaredParams LIST =
      DeclaredParams.of(
          RequestMember.optional(
              "principal", ParamTypes.TEXT, "The principal whose use is listed; all without it."),
          ParamTypes.limit("principals of each quota"));

  private final Supplier<List<QuotaStatus>> quotas;

  public QuotaMethods(Supplier<List<QuotaStatus>> quotas) {
    this.quotas = quotas;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "quotas.list",
            "Lists the quotas of the rules in force, and the principals that used most of each.",
            LIST,
            Set.of(Role.VIEW),
            false,
            (callParams, _) -> list(callParams)));
  }

  private Outcome list(CallParams callParams) {
    @Nullable String principal = callParams.optionalText("principal").orElse(null);
    try {
      return Outcome.answered(
          Map.of(
              "quotas",
              quotas.get().stream()
                  .map(quota -> quota.withUses(principal, callParams.limit()))
                  .toList()));
    } catch (JournalUnreadable _) {
      return new Outcome.Busy("the calls of the day cannot be read now: try again");
    }
  }
}
