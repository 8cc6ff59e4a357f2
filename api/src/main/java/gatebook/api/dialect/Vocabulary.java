package gatebook.api.dialect;

import gatebook.api.dialect.Words.Member;
import gatebook.api.dialect.Words.Value;
import gatebook.events.call.Gate;
import gatebook.events.call.Json;
import gatebook.events.fault.Fault;
import java.util.ArrayList;
import java.util.List;

/** The codes and words of one dialect. */
interface Vocabulary {

  /** What a caller is told of a fault; of a kind it has no code for, its nearest general one. */
  Words words(Fault fault);

  /** The data of an error; it always names the call, and the gate when one denied it. */
  default Json data(Fault fault, Words words, String correlationId, Texts texts) {
    List<Member> members = members(fault, words, correlationId);
    return Json.written(json -> texts.object(members, json));
  }

  /** What every error's data begins with, and what the words have of their own. */
  static List<Member> members(Fault fault, Words words, String correlationId) {
    List<Member> members = new ArrayList<>();
    members.add(new Member("correlation_id", new Value.Checked(correlationId)));
    fault
        .gate()
        .map(Gate::word)
        .ifPresent(gate -> members.add(new Member("gate", new Value.Checked(gate))));
    members.addAll(words.members());
    return members;
  }
}
