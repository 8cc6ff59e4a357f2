package gatebook.api.operator;

import gatebook.api.operator.redecide.RedecideContext;
import gatebook.command.rules.KnownOperator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the desk needs of those who decide.
 *
 * @param operators whoever may come besides the holder of the node's own token, as of now
 * @param rules absent where calls are decided by no rules file
 * @param again with which recorded calls are decided again
 */
public record OperatorServices(
    ApprovalSender approving,
    Supplier<List<KnownOperator>> operators,
    Optional<RulesInForce> rules,
    RedecideContext again) {}
