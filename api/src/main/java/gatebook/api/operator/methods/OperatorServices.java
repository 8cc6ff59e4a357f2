package gatebook.api.operator.methods;

import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.rpc.RulesInForce;
import gatebook.command.rules.AskedWitnesses;
import gatebook.command.rules.CheckpointRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.LegalHold;
import gatebook.command.rules.WitnessRules;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The services behind the operator methods, supplied by the node.
 *
 * @param knownOperators the operators besides the holder of the node's own token, at this moment
 * @param limits the limits in force at this moment
 * @param rules empty where no rules file decides calls
 * @param sources the sources of the rules in force at this moment
 * @param quotas those of the rules in force, with their use; may block
 * @param legalHolds those of the rules in force; empty when no rules are in force
 * @param checkpointRules those of the rules in force
 * @param witnesses those of this log, by the rules in force
 * @param witness what this node is a witness of, by the rules in force
 * @param redecideContext decides recorded calls again
 */
public record OperatorServices(
    ApprovalSender approvalSender,
    Supplier<List<KnownOperator>> knownOperators,
    Supplier<GatewayLimits> limits,
    Optional<RulesInForce> rules,
    Supplier<List<SourceStatus>> sources,
    Supplier<List<QuotaStatus>> quotas,
    Supplier<Optional<List<LegalHold>>> legalHolds,
    Supplier<CheckpointRules> checkpointRules,
    Supplier<Optional<AskedWitnesses>> witnesses,
    Supplier<Optional<WitnessRules>> witness,
    RedecideContext redecideContext) {}
