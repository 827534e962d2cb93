// What a push shows on a phone.

/** Where it went: a device's token, or the topic or condition that stands for many. */
export const targetOf = (push) => push.token ?? (push.topic ? `topic ${push.topic}` : push.condition);

/** What a payload says may be anything: Apple's part is passed on as it is. */
const text = (value) => (typeof value === "string" ? value : undefined);

function count(value) {
  const number = typeof value === "number" || text(value) ? Number(value) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** {title, body, badge, isSilent, collapseKey, conversation}; badge is undefined if it says nothing of it. */
export function shownBy({ message }) {
  const aps = message.apns?.payload?.aps ?? {};
  const alert = typeof aps.alert === "string" ? { body: aps.alert } : (aps.alert ?? {});
  const notification = message.android?.notification ?? {};
  const title = text(message.notification?.title) ?? text(alert.title) ?? text(notification.title);
  const body = text(message.notification?.body) ?? text(alert.body) ?? text(notification.body);
  return {
    title, body,
    badge: count(aps.badge) ?? count(notification.notification_count) ?? count(message.data?.badge),
    isSilent: title === undefined && body === undefined,
    collapseKey: text(message.apns?.headers?.["apns-collapse-id"]) ?? text(notification.tag),
    conversation: text(message.data?.conversationId),
    type: text(message.data?.type),
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
    if (shown.badge !== undefined) phone.badge = shown.badge;
    const key = shown.isSilent || !shown.collapseKey ? push.name : `collapse ${shown.collapseKey}`;
    const times = (phone.pushes.get(key)?.times ?? 0) + 1;
    phone.pushes.delete(key);
    phone.pushes.set(key, { push, shown, times });
  }
  return [...phones.values()].map((phone) => ({ ...phone, pushes: [...phone.pushes.values()].reverse() }));
}
