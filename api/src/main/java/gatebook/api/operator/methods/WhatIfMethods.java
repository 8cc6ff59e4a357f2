package gatebook.api.operator.methods;

import static java.util.stream.Collectors.joining;

import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RuleActivations;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.operator.rpc.RulesInForce;
import gatebook.api.operator.rpc.RulesInForce.Candidate;
import gatebook.api.operator.whatif.WhatIfRequest;
import gatebook.api.operator.whatif.WhatIfRun;
import gatebook.api.operator.whatif.WhatIfStatus;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RequestMember;
import gatebook.api.rules.MistakeLines;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods {@code audit.whatif}, {@code audit.whatifStatus} and {@code audit.cancelWhatif}. A
 * node does one what-if at a time.
 */
public final class WhatIfMethods {
  public static final String START = "audit.whatif";
  public static final String STATUS = "audit.whatifStatus";
  public static final String CANCEL = "audit.cancelWhatif";

  private static final Set<Role> READERS = Set.of(Role.ARGUMENTS);
  private static final int SAMPLE_MAX = 1_000_000;
  private static final int MISTAKES_MAX = 10;

  private static final List<RequestMember> PARAMS =
      List.of(
          RequestMember.required(
                  "text",
                  Text.ANY,
                  "The text of the candidate for the rules. Only its size and a digest are"
                      + " recorded.")
              .secret(),
          RequestMember.optional(
                  "files",
                  Members.ANY,
                  "The texts of the policies and of the schema that the candidate names, by their"
                      + " names in it. With the role admin it may also name what rules.check"
                      + " accepts, and read variables of the node; without, it reads nothing"
                      + " else.")
              .secret(),
          RequestMember.optional("since", ParamTypes.TIME, "Calls from this time on."),
          RequestMember.optional("until", ParamTypes.TIME, "Calls before this time."),
          RequestMember.optional(
              "sample",
              Whole.between(1, SAMPLE_MAX),
              "Decides so many calls: those whose ids have the lowest SHA-256."));

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final RedecideContext redecideContext;
  private final RuleActivations ruleActivations;
  private final RulesInForce rules;
  private final Supplier<GatewayLimits> limits;
  private final String version;
  private final Clock clock;
  private @Nullable WhatIfRun newest;

  WhatIfMethods(
      Journal journal,
      EventVocabulary eventVocabulary,
      RedecideContext redecideContext,
      RuleActivations ruleActivations,
      RulesInForce rules,
      Supplier<GatewayLimits> limits,
      String version,
      Clock clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.redecideContext = redecideContext;
    this.ruleActivations = ruleActivations;
    this.rules = rules;
    this.limits = limits;
    this.version = version;
    this.clock = clock;
  }

  /** The methods on a journal, under the rules of a node. */
  public static List<OperatorMethod> all(
      Journal journal,
      EventVocabulary eventVocabulary,
      Views views,
      OperatorServices operatorServices,
      RulesInForce rules,
      String version,
      Clock clock) {
    return new WhatIfMethods(
            journal,
            eventVocabulary,
            operatorServices.redecideContext(),
            new RecordedActivations(views),
            rules,
            operatorServices.limits(),
            version,
            clock)
        .all();
  }

  List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            START,
            "Starts a what-if: decides recorded calls again by a candidate for the rules, beside"
                + " the calls; audit.whatifStatus shows how far it is, and its report.",
            PARAMS,
            READERS,
            true,
            this::start),
        new OperatorMethod(
            STATUS,
            "Shows the newest what-if of this node since its start, with its report. While it runs,"
                + " the request is not recorded.",
            List.of(),
            READERS,
            true,
            (_, _) -> status()),
        new OperatorMethod(
            CANCEL,
            "Cancels the what-if that runs.",
            List.of(),
            READERS,
            false,
            (_, _) -> Outcome.answered(Map.of("cancelled", cancel()))));
  }

  private Outcome start(CallParams callParams, Operator operator) {
    if (isEmpty(callParams.time("since"), callParams.time("until"))) {
      return new Outcome.InvalidParams(
          "until is not after since", "until", "a time after since", "another time");
    }
    Map<String, String> files = new HashMap<>();
    for (Map.Entry<String, Optional<String>> file : files(callParams).entrySet()) {
      if (file.getValue().isEmpty()) {
        return new Outcome.InvalidParams(
            "each file is a text", "files", "an object of texts", "another value");
      }
      files.put(file.getKey(), file.getValue().get());
    }
    Reading reading =
        rules.read(new Candidate(callParams.text("text"), files, operator.has(Role.ADMIN)));
    return switch (reading) {
      case Reading.Broken broken ->
          new Outcome.InvalidParams(
              "the candidate has mistakes: "
                  + broken.mistakes().stream()
                      .limit(MISTAKES_MAX)
                      .map(it -> MistakeLines.place(it) + ": " + it.message())
                      .collect(joining("; ")),
              "text",
              "rules without mistakes",
              "a string");
      case Reading.Valid valid -> start(callParams, valid.rules());
    };
  }

  private static boolean isEmpty(Optional<Instant> since, Optional<Instant> until) {
    return since.isPresent() && until.isPresent() && !until.get().isAfter(since.get());
  }

  private static Map<String, Optional<String>> files(CallParams callParams) {
    Map<String, Optional<String>> files = new HashMap<>();
    ObjectMembers sent = ObjectMembers.of(callParams.members().json("files").orElse(null));
    sent.forEach((name, _) -> files.put(name, sent.text(name)));
    return files;
  }

  private synchronized Outcome start(CallParams callParams, Rules candidate) {
    WhatIfRun running = newest;
    if (running != null && running.isRunning()) {
      return new Outcome.Busy(
          "a what-if is running: wait until it has ended, or cancel it with " + CANCEL);
    }
    WhatIfRun started =
        new WhatIfRun(
            journal,
            eventVocabulary,
            redecideContext,
            ruleActivations,
            new WhatIfRequest(
                candidate,
                callParams.time("since"),
                callParams.time("until"),
                callParams.integer("sample")),
            limits.get(),
            version,
            clock);
    newest = started;
    WhatIfStatus status = started.status();
    started.start();
    return Outcome.answered(status);
  }

  private synchronized Outcome status() {
    WhatIfRun run = newest;
    if (run == null) {
      return Outcome.answered(WhatIfStatus.NONE);
    }
    WhatIfStatus status = run.status();
    return run.isRunning() ? new Outcome.Progress(status) : Outcome.answered(status);
  }

  private synchronized boolean cancel() {
    return newest != null && newest.cancel();
  }
}
