package gatebook.api.dialect;

import gatebook.api.dialect.ErrorWords.Member;
import gatebook.api.dialect.ErrorWords.Value;
import gatebook.api.rpc.ObjectMembers;
import gatebook.events.call.Gate;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** The error codes and words of one dialect. */
interface ErrorVocabulary {

  /** The member of data that only errors of a source have. */
  String UPSTREAM = "upstream";

  /** The code and words for a fault; for a kind without a code, the nearest general code. */
  ErrorWords words(Fault fault);

  /** The data of an error; it always names the call, and the gate when one denied it. */
  default JsonValue data(
      Fault fault, ErrorWords errorWords, String correlationId, PublicText publicText) {
    List<Member> members = members(fault, errorWords, correlationId, Value.Nested::new);
    return publicText.json(new Value.Nested(members));
  }

  /**
   * The members that every error's data has, followed by those of the words.
   *
   * @param own makes a value of the members that a source's own data keeps
   */
  static List<Member> members(
      Fault fault, ErrorWords errorWords, String correlationId, Function<List<Member>, Value> own) {
    List<Member> members = new ArrayList<>();
    members.add(new Member("correlation_id", new Value.Checked(correlationId)));
    fault
        .gate()
        .map(Gate::word)
        .ifPresent(gate -> members.add(new Member("gate", new Value.Checked(gate))));
    members.addAll(errorWords.members());
    if (isOfSource(fault)) {
      members.add(new Member(UPSTREAM, own.apply(ownMembers(fault))));
    }
    return members;
  }

  /**
   * The members by which a source's own gateway identifies the call and the gate that denied it.
   */
  private static List<Member> ownMembers(Fault fault) {
    if (!(fault instanceof UpstreamError error) || error.data() == null) {
      return List.of();
    }
    ObjectMembers data = ObjectMembers.of(error.data().toString());
    return Stream.of("gate", "correlation_id")
        .flatMap(
            name -> data.text(name).stream().map(text -> new Member(name, new Value.Text(text))))
        .toList();
  }

  /** The name of a fault: {@code task-not-found} for {@code TaskNotFound}. */
  static String nameOf(Fault fault) {
    return fault.kind().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /** Whether a source sent the fault as an error of its own. */
  static boolean isOfSource(Fault fault) {
    return (fault instanceof UpstreamError error && error.wasSentAsError())
        || (fault instanceof RateLimited limited && limited.limit() == Limit.UPSTREAM)
        || (fault instanceof ServiceUnavailable unavailable
            && unavailable.cause() == Cause.UPSTREAM);
  }
}
