export default function TrafficTab() {
  return <p className="p-4 text-dim">Nothing was asked yet.</p>;
}
