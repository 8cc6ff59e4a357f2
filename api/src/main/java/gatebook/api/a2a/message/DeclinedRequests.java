package gatebook.api.a2a.message;

import gatebook.api.dialect.A2aMethod;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Unsupported.ExtendedAgentCardNotConfigured;
import gatebook.events.fault.Unsupported.PushNotificationNotSupported;

/** The faults of requests that every agent here declines, as the cards declare. */
public final class DeclinedRequests {

  private DeclinedRequests() {}

  public static Fault fault(A2aRequest.Declined request, RequestContext context) {
    return switch (request) {
      case A2aRequest.CreatePush _,
          A2aRequest.GetPush _,
          A2aRequest.ListPush _,
          A2aRequest.DeletePush _ ->
          new PushNotificationNotSupported();
      case A2aRequest.ExtendedCard _ -> noExtendedCard(context);
    };
  }

  /** Where cards do not declare it, version 1.0 has another error than where it is missing. */
  private static Fault noExtendedCard(RequestContext context) {
    return switch (context.version()) {
      case V0_3 -> new ExtendedAgentCardNotConfigured();
      case V1_0 ->
          A2aCapabilities.EXTENDED_CARD
              ? new ExtendedAgentCardNotConfigured()
              : context.unsupported(A2aMethod.EXTENDED_CARD, null);
    };
  }
}
