package gatebook.command.rules;

import gatebook.command.policy.CedarPolicies;
import gatebook.events.call.Action;
import gatebook.events.call.Principal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules as they were read once, complete and without mistakes.
 *
 * @param hash over the texts they were read from, as {@code sha256:} and hex digits
 * @param workflows by name
 * @param inspectors the names of the inspectors of every governed call that no gate denied before
 * @param quotas of calls; a call must have room in each that is for it
 * @param legalHolds what may not be erased
 * @param observed rules that are observed beside these; absent where there are none
 * @param webhooks the addresses that callers may have notified
 * @param witness what this node is a witness of; empty when it is none
 * @param witnesses those of this log; empty when none is asked
 * @param checkpoints who gets checkpoints besides the journal
 */
public record Rules(
    String hash,
    List<Source> sources,
    Governance governance,
    Map<String, ApprovalWorkflow> workflows,
    CedarPolicies policies,
    List<String> inspectors,
    Principals principals,
    List<KnownOperator> operators,
    List<AllowedAddress> webhooks,
    RedactionRules redaction,
    RecordRules recording,
    GatewayLimits limits,
    List<CallQuota> quotas,
    List<LegalHold> legalHolds,
    Optional<WitnessRules> witness,
    Optional<AskedWitnesses> witnesses,
    CheckpointRules checkpoints,
    @Nullable Candidate observed) {

  /** Rules that forward nothing. */
  public static final Rules NONE =
      new Rules(
          "none",
          List.of(),
          new Governance(Action.DENY, List.of()),
          Map.of(),
          CedarPolicies.NONE,
          List.of(),
          Principals.NONE,
          List.of(),
          List.of(),
          RedactionRules.DEFAULT,
          RecordRules.DEFAULT,
          GatewayLimits.DEFAULT);

  public Rules {
    sources = List.copyOf(sources);
    workflows = Map.copyOf(workflows);
    inspectors = List.copyOf(inspectors);
    operators = List.copyOf(operators);
    webhooks = List.copyOf(webhooks);
    quotas = List.copyOf(quotas);
    legalHolds = List.copyOf(legalHolds);
  }

  /**
   * Rules without quotas, legal holds, anchors and a candidate, of a node that is no witness and
   * has none.
   */
  public Rules(
      String hash,
      List<Source> sources,
      Governance governance,
      Map<String, ApprovalWorkflow> workflows,
      CedarPolicies policies,
      List<String> inspectors,
      Principals principals,
      List<KnownOperator> operators,
      List<AllowedAddress> webhooks,
      RedactionRules redaction,
      RecordRules recording,
      GatewayLimits limits) {
    this(
        hash,
        sources,
        governance,
        workflows,
        policies,
        inspectors,
        principals,
        operators,
        webhooks,
        redaction,
        recording,
        limits,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        CheckpointRules.NONE,
        null);
  }

  /** The same rules for other sources. */
  public Rules withSources(List<Source> others) {
    return new Rules(
        hash,
        others,
        governance,
        workflows,
        policies,
        inspectors,
        principals,
        operators,
        webhooks,
        redaction,
        recording,
        limits,
        quotas,
        legalHolds,
        witness,
        witnesses,
        checkpoints,
        observed == null || observed.rules() == null
            ? observed
            : new Candidate(observed.hash(), observed.rules().withSources(others)));
  }

  /**
   * The quotas that count a call of this principal.
   *
   * @param targets as the caller names them
   */
  public List<CallQuota> quotas(Principal principal, Source source, List<String> targets) {
    return quotas.isEmpty() ? quotas : CallQuota.matching(quotas, principal, source, targets);
  }

  /** The same rules with a candidate, or without one. */
  public Rules withObserved(@Nullable Candidate candidate) {
    return new Rules(
        hash,
        sources,
        governance,
        workflows,
        policies,
        inspectors,
        principals,
        operators,
        webhooks,
        redaction,
        recording,
        limits,
        quotas,
        legalHolds,
        witness,
        witnesses,
        checkpoints,
        candidate);
  }

  /** The same rules with another governance and other policies. */
  public Rules with(Governance others, CedarPolicies otherPolicies) {
    return new Rules(
        hash,
        sources,
        others,
        workflows,
        otherPolicies,
        inspectors,
        principals,
        operators,
        webhooks,
        redaction,
        recording,
        limits,
        quotas,
        legalHolds,
        witness,
        witnesses,
        checkpoints,
        null);
  }

  /** Whether callers may have this address notified. */
  public boolean allowsWebhook(URI url) {
    return webhooks.stream().anyMatch(allowed -> allowed.allows(url));
  }

  /**
   * The address of a webhook as operators may see it, who named its first part in these rules: what
   * follows may be secret as a whole.
   */
  public String shownWebhook(String url) {
    try {
      URI address = new URI(url);
      return address.getHost() == null
          ? AllowedAddress.HIDDEN
          : webhooks.stream()
              .filter(allowed -> allowed.allows(address))
              .max(Comparator.comparingInt(allowed -> allowed.path().length()))
              .map(allowed -> allowed.shown(address))
              .orElseGet(() -> AllowedAddress.shownWithoutPath(address));
    } catch (URISyntaxException _) {
      return AllowedAddress.HIDDEN;
    }
  }

  /**
   * The values of the headers and environment variables with which sources and anchors are
   * configured.
   */
  public List<String> configuredSecrets() {
    return Stream.concat(
            sources.stream()
                .flatMap(source -> Stream.of(source.headers(), environment(source)))
                .flatMap(configured -> configured.values().stream()),
            checkpoints.secrets())
        .toList();
  }

  private static Map<String, String> environment(Source source) {
    SourceProgram program = source.program();
    return program == null ? Map.of() : program.environment();
  }

  /** The source with this id, which these rules have. */
  public Source source(String id) {
    return sources.stream()
        .filter(it -> it.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no source " + id));
  }
}
