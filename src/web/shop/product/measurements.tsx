import type { Product } from '#contract/catalogue/catalogue.ts';

/** Inches below centimetres, where large text leaves no room beside them. */
const STACKED = '@max-[15rem]:block';

/** Measurements in centimetres and inches; texts that are not lengths as typed. */
export function Measurements({ entries, caption }: { entries: Product['measurements']; caption: string }) {
  if (entries.length === 0) return null;
  return (
    <div className="@container">
      <table className="w-full max-w-sm wrap-anywhere text-left">
        <caption className="legend text-left">{caption}</caption>
        <tbody>
          {entries.map(({ name, value, cm, inches }) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-6 font-normal text-soft">
                {name}
              </th>
              <td className={`py-1.5 text-right ${inches ? `whitespace-nowrap ${STACKED}` : ''}`} colSpan={inches ? undefined : 2}>
                {cm ?? value}
              </td>
              {inches && <td className={`whitespace-nowrap py-1.5 pl-4 text-right text-soft ${STACKED}`}>{inches}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
