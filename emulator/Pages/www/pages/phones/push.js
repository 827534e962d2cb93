// What a push shows on a phone.

/** Where it went: a device's token, or the topic or condition that stands for many. */
export const targetOf = (push) => push.token ?? (push.topic ? `topic ${push.topic}` : push.condition);

/** {title, body, badge, isSilent, collapseKey, conversation}; badge is undefined if it says nothing of it. */
export function shownBy({ message }) {
  const aps = message.apns?.payload?.aps ?? {};
  const alert = typeof aps.alert === "string" ? { body: aps.alert } : (aps.alert ?? {});
  const notification = message.android?.notification ?? {};
  const title = message.notification?.title ?? alert.title ?? notification.title;
  const body = message.notification?.body ?? alert.body ?? notification.body;
  return {
    title, body,
    badge: aps.badge ?? notification.notification_count ?? message.data?.badge,
    isSilent: title === undefined && body === undefined,
    collapseKey: message.apns?.headers?.["apns-collapse-id"] ?? notification.tag,
    conversation: message.data?.conversationId,
    type: message.data?.type,
  };
}

/**
 * The pushes by phone, each phone's newest first: {target, badge, pushes: [{push, shown, times}]}. One that
 * has the collapse id of an earlier one takes its place there, as on a phone.
 */
export function byPhone(pushes) {
  const phones = new Map();
  for (const push of pushes) {
    const target = targetOf(push);
    if (!phones.has(target)) phones.set(target, { target, badge: 0, pushes: new Map() });
    const phone = phones.get(target);
    const shown = shownBy(push);
    if (shown.badge !== undefined) phone.badge = Number(shown.badge);
    const key = shown.isSilent || !shown.collapseKey ? push.name : `collapse ${shown.collapseKey}`;
    const times = (phone.pushes.get(key)?.times ?? 0) + 1;
    phone.pushes.delete(key);
    phone.pushes.set(key, { push, shown, times });
  }
  return [...phones.values()].map((phone) => ({ ...phone, pushes: [...phone.pushes.values()].reverse() }));
}
